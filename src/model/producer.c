#include "model/producer.h"

void producer_note(struct producer *producer, struct text key, struct text value)
{
    value = text_trim(value);
    bool is_creator = text_equals(key, "creator"), is_version = text_equals(key, "version");
    if (text_is_empty(value) || !(is_creator || is_version))
        return;
    if (is_creator) {
        producer->has_creator = true;
        producer->is_xdebug = text_starts(value, "xdebug") || text_starts(value, "Xdebug");
    } else {
        producer->is_version_0_9_6 = text_equals(value, "0.9.6");
    }
    producer->was_xdebug |= producer_is_xdebug(producer);
}

struct producer producer_of(const struct profile *profile)
{
    struct producer producer = {false};
    for (size_t i = 0; i < profile->header_count; i++) {
        struct text line = names_text(&profile->names, profile->headers[i].text);
        const char *colon = memchr(line.at, ':', text_length(line));
        if (colon != NULL)
            producer_note(&producer, (struct text){line.at, colon}, (struct text){colon + 1, line.end});
    }
    return producer;
}
