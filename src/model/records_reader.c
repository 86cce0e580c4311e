#include "model/records_reader.h"

bool reader_step_over_filler(struct reader *reader)
{
    for (;;) {
        while (reader->at > reader->start && reader->at[-1] == SPOOL_FILLER)
            reader->at--;
        if (reader->at > reader->start || reader->block == 0)
            return true;
        if (!reader_go_to(reader, reader->block * SPOOL_BLOCK))
            return false;
    }
}

struct waiting_call reader_waiting(struct reader *reader)
{
    reader->at -= 22;
    const unsigned char *at = reader->at;
    cost_t cost = unfold_sign(little8(at));
    cost_multiply(&cost, reader->factor);
    return (struct waiting_call){.cost = cost,
                                 .callee = little4(at + 8),
                                 .final = little4(at + 12),
                                 .line = little4(at + 16),
                                 .is_replaced = at[20] != 0};
}

/* The dropped record has no function: its calls belong to nobody. */
static bool skip_calls(struct reader *reader)
{
    unsigned tag;
    while (next_tag(reader, &tag)) {
        if (!is_call(tag))
            return true;
        reader->at = entry_start(reader->at, tag);
    }
    return false;
}

bool reader_begin(struct reader *reader, struct spool *spool)
{
    *reader = (struct reader){.spool = spool, .factor = 1};
    return reader_go_to(reader, spool_position(spool));
}

enum record_result reader_next_other(struct reader *reader, unsigned tag, struct record *record)
{
    while (reader->at > reader->start) {
        if ((tag & KIND) == RECORD)
            return reader_next(reader, record);
        reader->at--;
        if (tag == RUN_ENDS)
            return RECORD_RUN_BEGINS;
        if (tag == NEW_UNIT)
            reader->factor *= little8(reader->at -= 8); /* their product is at most the first unit */
        else if (!skip_calls(reader))
            return RECORD_FAILED;
        if (!next_tag(reader, &tag))
            return RECORD_FAILED;
    }
    return RECORD_NO_MORE;
}
