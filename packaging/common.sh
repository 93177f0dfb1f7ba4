# Sourced by the commands beside it, from the root of the checkout.

# Prints the version that the build files have.
version_of_checkout() {
  sed -n '/<artifactId>heddle<\/artifactId>/{n;s/.*<version>\(.*\)<\/version>.*/\1/p;q}' pom.xml
}

# Builds what is missing; sets `build`, the folder of that build, and `jdk`, what it was built with.
use_build() {
  ./heddle --version >/dev/null
  read -r build <.heddle/current
  build=$PWD/.heddle/$build
  read -r jdk <"$build/jdk"
}
