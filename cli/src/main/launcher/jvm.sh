# How the JVM is started: the part that the launcher of a checkout and that of an image share.
#
# Expects: jdk, the folder of the JVM; dir, where heddle.jar, vectors and the caches are; hot, the file of JIT
# hints; state, a folder that may be written to. bash.

# Look-ups start fast on one thread; what computes gets the optimising compiler and the vectors.
# The cache is mapped where it was recorded for: elsewhere, all its pages would be written to. A JVM takes it only
# with the same access to native code as when it was recorded.
mapped=(-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 --enable-native-access=ALL-UNNAMED)
light=("${mapped[@]}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx1g)
computing=("${mapped[@]}" -XX:+UseParallelGC -XX:-UsePerfData "-XX:CompileCommandFile=$hot")
module=--add-modules=jdk.incubator.vector

# On few cores the optimising compiler takes the time that the launch needs: there it starts later, and not by
# what the rehearsal found hot. On many cores it has one of its own.
few_cores=(-XX:-AOTReplayTraining -XX:Tier4InvocationThreshold=50000
  -XX:Tier4MinInvocationThreshold=6000 -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000)

# A launch of few threads is over before the optimising compiler, and the counting for it, have paid, even where
# that has cores of its own: what kernels spend their time in is machine code of Heddle's own, where the processor
# has AVX2.
small=(-XX:-AOTReplayTraining -XX:TieredStopAtLevel=1)
small_threads=32768

# runs_machine_code: whether the processor has what machine code needs.
runs_machine_code() {
  local line
  while IFS= read -r line; do
    case $line in flags*" avx2 "*) return 0 ;; flags*) return 1 ;; esac
  done 2>/dev/null </proc/cpuinfo
  return 1
}

# is_small WORDS...: whether these words of `run` launch few threads each time, by the largest grid and the largest
# block in options and a launch file. What Java interprets is not small.
is_small() {
  local word file grid block options
  for word in "$@"; do
    case $word in --executor* | --advise | --trace* | --compare*) return 1 ;; esac
  done
  few_threads "$*" 1 1 || return 1
  options=("$grid" "$block")
  for word in "$@"; do
    case $word in
      *.json)
        IFS= read -r -d '' -N 65536 file <"${word#--launch=}" || :
        [ ${#file} -lt 65536 ] && few_threads "$file" "${options[@]}" || return 1
        ;;
    esac 2>/dev/null
  done
}

# few_threads TEXT GRID BLOCK: puts the largest grid and the largest block, of these and those in a text, into `grid`
# and `block`; whether they have few threads.
few_threads() {
  local text=$1 numbers number count
  grid=$2 block=$3
  while [[ $text =~ (grid|block)[\"=:\[[:space:]]+([0-9][0-9,[:space:]]*) ]]; do
    text=${text#*"${BASH_REMATCH[0]}"}
    numbers=${BASH_REMATCH[2]//,/ } count=1
    for number in $numbers; do
      [ ${#number} -le 10 ] && count=$((count * 10#$number)) && [ "$count" -le "$small_threads" ] || return 1
    done
    if [ "${BASH_REMATCH[1]}" = grid ]; then
      [ "$count" -le "$grid" ] || grid=$count
    else
      [ "$count" -le "$block" ] || block=$count
    fi
  done
  [ $((grid * block)) -le "$small_threads" ]
}

# Puts the number of cores that the process may use into `cores`: of those it is bound to, what its container
# lets it take.
count_cores() {
  local quota period
  cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 8)
  if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [ "$quota" != max ] &&
    [ $((quota / period)) -lt "$cores" ]; then
    cores=$((quota / period))
  fi
}

# Puts what computes and what turns vectors on into `full`.
add_vectors() {
  local flag
  full=("${computing[@]}")
  [ -f "$dir/vectors.jar" ] && full+=("-Xbootclasspath/a:$dir/vectors.jar")
  while IFS= read -r flag; do full+=("$flag"); done <"$dir/vectors"
}

# copy_vectors LOG: the JDK's vector classes into vectors.jar, and the options for them into vectors. Where a
# JVM does not take the classes so, they come as the module that they are.
copy_vectors() {
  "$jdk/bin/java" -cp "$dir/heddle.jar" dev.heddle.cli.VectorLibrary "$dir/vectors.jar" >"$dir/vectors" 2>>"$1" &&
    add_vectors && "$jdk/bin/java" "${full[@]}" -version >>"$1" 2>&1 ||
    { rm -f "$dir/vectors.jar" && echo "$module" >"$dir/vectors"; }
  add_vectors
}

# rehearse LOG WHAT [LAUNCH...]: records what start-up loads and links, and with what the methods of a run are
# called, so that later calls need not find out again.
rehearse() {
  local log=$1 what=$2 flags=("${light[@]}")
  shift 2
  [ "$what" = run ] && flags=("${full[@]}")
  "$jdk/bin/java" "${flags[@]}" -XX:AOTCacheOutput="$dir/$what.aot" -Xlog:disable -Xlog:all=off -cp "$dir/heddle.jar" \
    dev.heddle.cli.Main rehearse "$what" "$@" >>"$log" 2>&1 ||
    rm -f "$dir/$what.aot"
}

# start_heddle WORDS...: takes the place of the shell.
start_heddle() {
  local flags cache full cores
  # A terminal gets colours and lines of its width. `(:)` lets bash ask for that.
  local seen=()
  [ -t 2 ] && seen+=(-Dheddle.terminal=true)
  if [ -t 1 ]; then
    [ -n "${COLUMNS:-}" ] || { shopt -s checkwinsize && (:); }
    seen+=("-Dheddle.columns=${COLUMNS:-80}")
  fi
  case ${1:-} in
    exec | run | vectors | explore | compress | expand | convert | prune | inspect)
      add_vectors
      flags=("${full[@]}") cache=$dir/run.aot
      if [ "$1" = run ] && runs_machine_code && is_small "$@"; then
        flags+=("${small[@]}")
      else
        count_cores
        [ "$cores" -le 3 ] && flags+=("${few_cores[@]}")
      fi
      ;;
    cuda)
      # The flags of the JVM that will run inside the program.
      add_vectors
      count_cores
      [ "$cores" -le 3 ] && full+=("${few_cores[@]}")
      [ -f "$dir/run.aot" ] && full+=("-XX:AOTCache=$dir/run.aot" -Xlog:disable -Xlog:all=off)
      flags=("${light[@]}" "-Dheddle.state=$state" "-Dheddle.computing=$(printf '%s\n' "${full[@]}")")
      cache=$dir/look-ups.aot
      ;;
    check) flags=("${light[@]}" -Xmx4g --sun-misc-unsafe-memory-access=allow) cache=$dir/check.aot ;;
    # Executables hold compressed PTX, and the decompressor uses a class that the JVM would warn of.
    forms) flags=("${light[@]}" --sun-misc-unsafe-memory-access=allow) cache=$dir/look-ups.aot ;;
    *) flags=("${light[@]}") cache=$dir/look-ups.aot ;;
  esac
  [ -f "$cache" ] && flags+=("-XX:AOTCache=$cache")
  flags+=(${seen[@]+"${seen[@]}"})
  # What the JVM says of itself, such as a cache that it does not take, is seldom a user's concern:
  # HEDDLE_JVM_LOG=warning shows it.
  if [ -n "${HEDDLE_JVM_LOG:-}" ]; then flags+=("-Xlog:all=$HEDDLE_JVM_LOG:stderr"); else flags+=(-Xlog:disable -Xlog:all=off); fi
  case " ${flags[*]} " in
    *" $module "*)
      # The JVM announces the vector module on standard error and has no option against that. So its own words
      # go through a filter, and those of the command straight to where standard error was.
      if [ -e /dev/fd/2 ]; then exec 3>&2; else exec 3>/dev/null; fi
      exec "$jdk/bin/java" "${flags[@]}" -Dheddle.stderr=/dev/fd/3 ${HEDDLE_JAVA_OPTIONS:-} -cp "$dir/heddle.jar" \
        dev.heddle.cli.Main "$@" 2> >(exec grep -v '^WARNING: Using incubator modules' >&3)
      ;;
  esac
  exec "$jdk/bin/java" "${flags[@]}" ${HEDDLE_JAVA_OPTIONS:-} -cp "$dir/heddle.jar" dev.heddle.cli.Main "$@"
}
