# plan.awk OPTIONS EVENTS LIST: the runs for a list of inputs, with tabs between the arguments. EVENTS holds lines
# "FILE:events: NAME...".

FNR == 1 { file++ }

file == 1 && !/^#/ { option[options++] = $0 }

file == 2 {
    at = index($0, ":events:")
    events[substr($0, 1, at - 1)] = substr($0, at + 8)
}

file == 3 { input[inputs++] = $0 }

function folder(path) {
    sub("/[^/]*$", "", path)
    return path
}

# Sets what the words of an option mean for an input.
function describe(i, event) {
    value["IN"] = input[i]
    value["GZ"] = input[i] ".gz"
    value["NEXT"] = i + 2 < inputs && folder(input[i]) == folder(input[i + 2]) ? input[i + 2] : input[i]
    value["OUT"] = "o/out"
    if (!split(events[input[i]], event))
        split(input[i] ~ /perf/ ? "cpu-clock:u page-faults:u" : "bb-count", event)
    if (input[i] ~ /large\/perf/)
        split("cpu-clock", event)
    value["E1"] = event[1]
    value["E2"] = 2 in event ? event[2] : event[1]
}

# put(OPTION): it with everything in its place.
function put(rest, done) {
    done = ""
    gsub(/ /, "\t", rest)
    gsub(/~/, " ", rest)
    while (match(rest, /IN|GZ|NEXT|OUT|E[12]/)) {
        done = done substr(rest, 1, RSTART - 1) value[substr(rest, RSTART, RLENGTH)]
        rest = substr(rest, RSTART + RLENGTH)
    }
    return done rest
}

# Runs of the next `count` options for this kind of inputs, each with the words `always`; all begin with another one.
function take(kind, count, always, line) {
    for (; count > 0; count--) {
        line = option[turn[kind]++ % options]
        if (!sub(/^perf: /, "", line) || kind ~ /perf/)
            print always put(line)
    }
}

END {
    for (i = 0; i < inputs; i++) {
        describe(i)
        name = input[i]
        if (name ~ /large\/perf/)
            take("large perf", options, "--symfs=in/large/symfs\t--kallsyms=in/large/symfs/kallsyms\t")
        else if (name ~ /testdata\/perf/)
            take("perf", options, "--symfs=in/testdata/perf/symfs\t")
        else if (name ~ /corpus\/perf/) {
            take("perf", options, "--symfs=in/symbols\t--input=perf\t")
            take("perf", options, "--symfs=in/symbols\t--input=perf-script\t")
        } else if (match(name, /corpus\/(callgrind|aprof|preprocessed)/))
            take("corpus", options, "--input=" substr(name, RSTART + 7, RLENGTH - 7) "\t")
        else if (name ~ /in\/again/)
            take("again", 12, "")
        else if (name ~ /\.bad$/)
            take("damaged", 2, "")
        else if (name ~ /in\/generated/)
            take("generated", 4, "")
        else
            take("all", options, "")
    }
}
