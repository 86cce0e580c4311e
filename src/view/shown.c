#include "view/shown.h"

#include "write/headers.h"

void shown_read_headers(struct shown *shown)
{
    struct text rest = shown->headers, key, value;
    struct producer producer = {false};
    uint64_t merged = 0, commands = 0, number;
    bool has_event = false, is_aprof = false, is_perf = false, is_other = false;
    shown->event = text_of("", 0);
    while (preprocessed_next_header(&rest, &key, &value)) {
        producer_note(&producer, key, value);
        commands += text_equals(key, "cmd");
        if (text_equals(key, "summary")) {
            shown->summaries++;
            shown->total += text_take_number(&value, &number, NULL) ? (double)number : 0;
        } else if (text_equals(key, HEADING_KEY)) {
            count_add(&merged, text_take_number(&value, &number, NULL) && number > 0 ? number : 1);
        } else if (text_equals(key, "events") && !has_event) {
            value = text_trim(value);
            shown->event = text_take_word(&value);
            has_event = true;
        } else if (text_equals(key, "creator")) {
            struct text name = text_take_word(&value);
            is_perf |= text_equals(name, "perf");
            is_aprof |= text_equals(name, "aprof");
            is_other |= !text_equals(name, "perf");
        }
    }
    if (producer.was_xdebug && shown->summaries > commands) /* those of others may be of parts of a run */
        commands = shown->summaries;
    shown->runs = merged > 0 ? merged : commands > 0 ? commands : 1;
    /* Are there calls, or more invocations than one in each run, which is what a function without calls has? */
    bool has_counts = producer.was_xdebug || is_aprof || shown->profile.arc_count > 0;
    for (size_t i = 0; i < shown->profile.function_count && !has_counts; i++)
        has_counts = shown->profile.functions[i].invocations > shown->runs;
    shown->counts = is_perf && !is_other ? COUNTS_SAMPLES : has_counts ? COUNTS_CALLS : COUNTS_NOTHING;
}
