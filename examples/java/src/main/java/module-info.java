/// Delete this file to run on the class path.
open module example {
    requires dev.heddle.junit;
}
