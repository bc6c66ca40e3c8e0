# Sourced by the project's scripts: find_jdk NAME prints the home of a JDK of version 25 or newer, or
# says on stderr, as NAME, where it looked. Maven needs none of this: it finds the JDK by itself.

need=25

# The feature version of the java in a JDK's folder; 0 when there is none.
version_of() {
  local v=0
  if [ -x "$1/bin/java" ]; then
    v=$("$1/bin/java" -XshowSettings:properties -version 2>&1 |
      sed -n 's/^ *java\.specification\.version = \([0-9]*\).*/\1/p')
  fi
  echo "${v:-0}"
}

find_jdk() {
  local home
  shopt -s nullglob
  # what the user set comes first, then what is on the path, then the usual places
  for home in "${JAVA_HOME:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v java || echo /none/bin/java)")")")" \
    /usr/lib/jvm/* /usr/local/lib/jvm/* /opt/jdk* /opt/java/* "$HOME"/.sdkman/candidates/java/* \
    "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* "$HOME"/.asdf/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if [ -n "$home" ] && [ "$(version_of "$home")" -ge "$need" ]; then
      echo "$home"
      return
    fi
  done
  echo "$1: no JDK $need or newer found. Looked at JAVA_HOME, the path, /usr/lib/jvm," >&2
  echo "~/.sdkman, ~/.jdks, /Library/Java and other usual places. Install one or set JAVA_HOME." >&2
  return 1
}

# Whether the marker file is missing or older than any source or pom.
is_stale() {
  [ ! -f "$2" ] && return 0
  local newer
  newer=$(find "$1" \( -name target -o -name .git \) -prune -o -type f \
    \( -path '*/src/main/*' -o -name pom.xml \) -newer "$2" -print | head -n 1 || true)
  [ -n "$newer" ]
}
