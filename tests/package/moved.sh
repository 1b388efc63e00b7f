#!/usr/bin/env bash
# moved.sh PREFIX SOURCE BUILD CMAKE GENERATOR
#
# The installed package stands alone: it is copied elsewhere, and there, while SOURCE and BUILD are out of reach, a project outside this one
# is built against it and the program runs. Out of reach means under an empty file system, in a mount namespace of the test's own: of root, or
# of whoever may have a user namespace. Where the machine grants neither, as in some containers, the first part has to do: nothing
# in the package leads to SOURCE or BUILD, neither a link nor a path in any file.
set -euo pipefail
prefix=$(realpath "$1") source=$(realpath "$2") build=$(realpath "$3") cmake=$4 generator=$5

if [[ ${6:-} == within ]]; then  # the namespace, in the folder of the copies
  mount -t tmpfs none "$source"
  [[ ! -e $build ]] || mount -t tmpfs none "$build"
  [[ ! -e $source/CMakeLists.txt && ! -e $build/CMakeCache.txt ]] || { echo "$source and $build are still in reach" >&2; exit 1; }
fi
if [[ ${6:-} == within || ${6:-} == here ]]; then
  "$cmake" -S project -B project/build -G "$generator" -DCMAKE_PREFIX_PATH="$PWD/package" -DCMAKE_BUILD_TYPE=Release
  "$cmake" --build project/build
  answer=$(project/build/total_mass project/pendulum.json)
  echo "$answer"
  [[ $answer == "3 kg" ]]
  package/bin/arthron run project/pendulum.json --until 0.1 --output rows.csv
  exit
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -a "$prefix" "$folder/package"
cp -a "$source/tests/package" "$folder/project"
cp "$source/tests/package/moved.sh" "$folder/moved.sh"
cd "$folder"

wrong=0
while IFS= read -r link; do
  target=$(realpath -m "$link")
  [[ $target == "$folder/package/"* ]] || { echo "$link is a link to $target, out of the package" >&2; wrong=1; }
done < <(find package -type l)
# A path as a whole: "/arthron" is not named by "include/arthron".
paths=$(printf '%s\n%s\n' "$source" "$build" | sed 's/[][\.*^$+?(){}|]/\\&/g' | paste -sd '|')
if LC_ALL=C grep -rlE "(^|[^[:alnum:]_./}-])($paths)([^[:alnum:]_.-]|\$)" package >mentions; then
  sed 's/$/ names the sources or the build/' mentions >&2
  wrong=1
fi
((!wrong)) || exit 1

again=(bash ./moved.sh "$folder/package" "$source" "$build" "$cmake" "$generator")
if unshare --mount true 2>/dev/null; then
  unshare --mount "${again[@]}" within
elif unshare --user --map-root-user --mount true 2>/dev/null; then
  unshare --user --map-root-user --mount "${again[@]}" within
else
  echo "this machine grants no mount namespace: $source and $build stay in reach, though nothing in the package leads there" >&2
  "${again[@]}" here
fi
echo "the moved package is whole"
