# Where a JDK is, for what is built or measured in a checkout. bash.

# Whether a folder holds a JDK of version 25 or newer.
is_jdk() {
  local line version
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while read -r line; do
    case $line in
      JAVA_VERSION=*)
        version=${line#JAVA_VERSION=?}
        version=${version%%[!0-9]*}
        [ "${version:-0}" -ge 25 ]
        return
        ;;
    esac
  done <"$1/release"
  return 1
}

find_jdk() {
  local home
  for home in "${HEDDLE_JAVA_HOME:-}" "${JAVA_HOME:-}" \
    /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$home" ] && is_jdk "$home"; then
      echo "$home"
      return
    fi
  done
  if home=$(command -v javac) && home=$(cd "$(dirname "$(readlink -f "$home")")/.." && pwd) && is_jdk "$home"; then
    echo "$home"
    return
  fi
  cat >&2 <<'SAY'
heddle: no JDK of version 25 or newer found.
  Looked at HEDDLE_JAVA_HOME, JAVA_HOME, the PATH and the usual places of JDKs.
  Get one, for example with a package manager (Debian: apt install openjdk-25-jdk; macOS: brew
  install openjdk@25; any system: sdk install java 25-tem), or set HEDDLE_JAVA_HOME to where one is.
SAY
  exit 2
}
