#!/bin/sh
# reproduce.sh SOURCE: what scripts/reproduce asks of the program, which a stand-in writes down, for papers that are not there.
set -eu
source=$1
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
mkdir -p "$there/scripts" "$there/studies/doe2020" "$there/studies/roe2021"
cp "$source/scripts/reproduce" "$there/scripts/"
touch "$there/studies/doe2020/study.toml" "$there/studies/roe2021/study.toml"
cat >"$there/studies/doe2020/published.toml" <<END
[[numbers]]
reading = "other"
[[numbers]]
reading = "other"
[[numbers]]
setting = "a"
END
cat >"$there/program" <<'END'
#!/bin/sh
[ "$1 $2" != "list studies" ] || { printf 'doe2020\nroe2021\nroe2021/more\n'; exit 0; }
echo "$*" | sed "s|$THERE/||g" >>"$THERE/asked"
END
chmod +x "$there/program"
export THERE="$there"

# expect STATUS WHAT ARGUMENT...: standard input is what is asked for, line by line.
expect() {
    status=$1
    what=$2
    shift 2
    rm -f "$there/asked" && touch "$there/asked"
    found=0
    "$there/scripts/reproduce" "$there/program" "$@" 2>"$there/error" || found=$?
    [ "$found" = "$status" ] || { echo "$what: status $found, not $status" && cat "$there/error" && exit 1; }
    diff - "$there/asked" || { echo "$what: above, what is asked for (<) and what was (>)" && exit 1; }
}

expect 0 "one paper, with the reading that its numbers are of" doe2020 <<END
run studies/doe2020 --out results/doe2020 --cut
run studies/doe2020 --reading other --out results/doe2020-other
report results/doe2020
END
export FULL=1
expect 0 "one paper whole, and what else its folder has" roe2021 <<END
run studies/roe2021/more.toml --out results/roe2021-more
report results/roe2021-more --quiet
run studies/roe2021 --out results/roe2021
report results/roe2021
END
unset FULL
expect 0 "all" all <<END
run studies/doe2020 --out results/doe2020 --cut
run studies/doe2020 --reading other --out results/doe2020-other
report results/doe2020
run studies/roe2021/more.toml --out results/roe2021-more --cut
report results/roe2021-more --quiet
run studies/roe2021 --out results/roe2021 --cut
report results/roe2021
index results/doe2020 results/roe2021 --out results/index.html
END
expect 2 "a paper that is not there" nonsense </dev/null
grep -q "there is no studies/nonsense/study.toml; there are: doe2020 roe2021, or all" "$there/error" ||
    { cat "$there/error" && exit 1; }
