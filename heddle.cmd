@echo off
rem heddle: builds what is missing, then runs. For Windows; nobody has tried it there yet.
rem After a change of the sources: set HEDDLE_BUILD=1 for one call.
setlocal
set "root=%~dp0"
set "jdk=%HEDDLE_JAVA_HOME%"
if not defined jdk set "jdk=%JAVA_HOME%"
if not defined jdk goto nojdk
if not exist "%jdk%\bin\javac.exe" goto nojdk
if defined HEDDLE_BUILD goto build
if exist "%root%cli\target\lib\" goto start

:build
echo heddle: building (once, some minutes) ... 1>&2
set "JAVA_HOME=%jdk%"
call "%root%mvnw.cmd" -q -B -f "%root%pom.xml" -Pquick -pl cli -am -Dmaven.test.skip=true package 1>&2
if errorlevel 1 (
  echo heddle: the build failed 1>&2
  exit /b 2
)

:start
"%jdk%\bin\java.exe" -XX:+UseParallelGC --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -cp "%root%cli\target\classes;%root%cli\target\lib\*" dev.heddle.cli.Main %*
exit /b %ERRORLEVEL%

:nojdk
echo heddle: no JDK found: set HEDDLE_JAVA_HOME to one of version 25 or newer 1>&2
exit /b 2
