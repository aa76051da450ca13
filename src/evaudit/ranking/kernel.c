/* Scans TREC qrels and runs: the same lists as the Python reader (formats/trec.py, ranking/order.py), only faster.

It knows well-formed files alone. Whatever is unusual (a line that begins with #, a number it does not know, a repeated
document, a topic that comes back) makes it return None, and the Python reader reads the file again, words the error or
finds that all is well. So nothing here needs a message, and nothing here may accept what the Python reader refuses.

Only judged documents need a rank: one table of the topic's own documents serves the check for repetitions and the
look-up of its judged documents. The lock of the interpreter is released while a part of a run is scanned. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WORDS_COUNT /* the first byte of a loaded word is its lowest */
#endif

#define POOLED (-1)
#define HIGHEST_GRADE 1000

enum { ORDER_LINES, ORDER_RANKS, ORDER_SCORE };
enum { TIES_DESCENDING, TIES_ASCENDING, TIES_LISTED, TIES_REFUSED };
enum { PLAIN, BLANK, NEWLINE, RETURN, MARK };

static unsigned char kind[256];
static uint64_t KEPT[8]; /* which bits the first n bytes of a loaded word are, in the order of this processor */

typedef struct {
    const char *text;
    uint32_t length, hash;
} Id;

/* Numbers for what no folding of near_ids.py touches of an id: its letters and digits without leading zeros. Spellings
   of one id have equal numbers in `whole`, or in `bare` where at most one of them has a fragment. */
typedef struct {
    uint64_t whole, bare;
    unsigned char fragment, further; /* `further`: the id must first be folded by `fold`, in Python */
} Remains;

typedef struct {
    Id doc;
    int32_t grade;
    Remains remains;
} Judgement;

typedef struct {
    Id name;
    size_t first, count;
    int64_t highest_negative; /* 1 where no grade is negative */
} Pool;

typedef struct {
    Py_buffer buffer;
    Judgement *judgements;
    size_t size, room;
    Pool *pools;
    size_t pools_size, pools_room;
    uint32_t *table; /* topic to pool, 1-based */
    size_t mask;
    size_t rows, unjudged;
} Qrels;

/* growing arrays: 0 where memory ran out */
static int grow(void **items, size_t *room, size_t needed, size_t width)
{
    if (needed <= *room)
        return 1;
    size_t more = *room ? *room * 2 : 1024;
    while (more < needed)
        more *= 2;
    void *moved = realloc(*items, more * width);
    if (!moved)
        return 0;
    *items = moved;
    *room = more;
    return 1;
}

/* The first `length` bytes, at most eight, as a number; `limit` is where readable bytes end. */
static inline uint64_t first_bytes(const char *text, size_t length, const char *limit)
{
    uint64_t part = 0;
    if (limit - text >= 8) {
        memcpy(&part, text, 8);
        return length >= 8 ? part : part & KEPT[length];
    }
    memcpy(&part, text, length < 8 ? length : 8);
    return part;
}

static inline uint32_t hashed(const char *text, size_t length, const char *limit)
{
    uint64_t h = 0x9E3779B97F4A7C15ull ^ length;
    for (; length >= 8; text += 8, length -= 8) {
        h = (h ^ first_bytes(text, 8, limit)) * 0xD6E8FEB86659FD93ull;
        h ^= h >> 32;
    }
    h = (h ^ first_bytes(text, length, limit)) * 0xD6E8FEB86659FD93ull;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    return (uint32_t)(h >> 32);
}

static int same(const Id *one, const Id *other)
{
    return one->hash == other->hash && one->length == other->length && !memcmp(one->text, other->text, one->length);
}

/* Whether the column that starts at `p` repeats one that was read before; it ends before `end`. */
static inline int repeats(const char *p, const char *end, const Id *before)
{
    if (end - p <= (ptrdiff_t)before->length)
        return 0;
    unsigned char next = kind[(unsigned char)p[before->length]];
    if (next == PLAIN || next == MARK)
        return 0;
    if (before->length <= 8)
        return first_bytes(p, before->length, end) == first_bytes(before->text, before->length, end);
    return !memcmp(p, before->text, before->length);
}

/* memcmp order of bytes, as Python compares them */
static int compared(const Id *one, const Id *other)
{
    size_t shorter = one->length < other->length ? one->length : other->length;
    int order = memcmp(one->text, other->text, shorter);
    return order ? order : (one->length > other->length) - (one->length < other->length);
}

/* How many bytes one character of UTF-8 takes here; 0 where none stands. */
static size_t character(const unsigned char *p, const unsigned char *end)
{
    size_t size = *p < 0x80 ? 1 : *p < 0xC2 ? 0 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : *p < 0xF5 ? 4 : 0;
    if (!*p || !size || (size_t)(end - p) < size)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F) || (*p == 0xF0 && p[1] < 0x90) ||
        (*p == 0xF4 && p[1] > 0x8F))
        return 0; /* longer than needed, half of a pair, or beyond the last character */
    return size;
}

/* Whether all of it is UTF-8 without a NUL byte; 64 plain bytes at a time. */
static int is_text(const char *from, const char *to)
{
    const unsigned char *p = (const unsigned char *)from, *end = (const unsigned char *)to;
    while (p < end) {
        for (; end - p >= 64; p += 64) {
            uint64_t words[8], seen = 0;
            memcpy(words, p, 64);
            for (int i = 0; i < 8; i++)
                seen |= words[i] | (words[i] - 0x0101010101010101ull);
            if (seen & 0x8080808080808080ull)
                break; /* a high bit, or a zero byte */
        }
        for (size_t done = 0, size; done < 64 && p < end; done += size, p += size)
            if (!(size = character(p, end)))
                return 0;
    }
    return 1;
}

/* Behind the plain bytes that stand here; eight at a time where the processor's order of bytes lets us count them. */
static inline const char *behind_plain(const char *p, const char *end)
{
#ifdef WORDS_COUNT
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        uint64_t other = (((word - 0x2121212121212121ull) & ~word) | word) & 0x8080808080808080ull;
        if (other) { /* a byte up to the blank, or a high one; true of the first, which is all that counts */
            p += __builtin_ctzll(other) >> 3;
            break;
        }
    }
#endif
    while (p < end && kind[(unsigned char)*p] == PLAIN)
        p++;
    return p;
}

/* The next column of a line: 1, or 0 where the line has no further one, -1 where something is unusual. */
static int column(const char **at, const char *end, Id *found)
{
    const char *p = *at;
    while (p < end && kind[(unsigned char)*p] == BLANK)
        p++;
    const char *start = p;
    for (;;) {
        p = behind_plain(p, end);
        if (p < end && kind[(unsigned char)*p] == MARK) {
            if (end - p >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
                return -1;
            p++;
            continue;
        }
        break;
    }
    *at = p;
    if (p - start > 0x7fffffff)
        return -1;
    found->text = start;
    found->length = (uint32_t)(p - start);
    return p > start;
}

/* Where the line starts its content, or NULL for a blank line or the end; `at` moves behind such a line. `odd` is set
   where a carriage return stands elsewhere than before the end of the line, and at a `#`: whether a comment or a topic
   begins there is for the strict reader to say. */
static const char *content(const char **at, const char *end, int *odd)
{
    const char *p = *at;
    while (p < end && kind[(unsigned char)*p] == BLANK)
        p++;
    if (p < end && *p == '\r') {
        if (p + 1 < end && p[1] != '\n')
            *odd = 1;
        p++;
    }
    if (p >= end) {
        *at = end;
        return NULL;
    }
    if (*p == '\n') {
        *at = p + 1;
        return NULL;
    }
    if (*p == '#')
        *odd = 1;
    return p;
}

/* Moves behind the line, whatever columns are left; 0 where a carriage return stands inside. */
static int line_end(const char **at, const char *end)
{
    const char *p = *at;
    if (p < end && *p == '\n') {
        *at = p + 1;
        return 1;
    }
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    const char *line = stop ? stop : end;
    const char *cr = memchr(p, '\r', (size_t)(line - p));
    *at = stop ? stop + 1 : end;
    return !cr || cr + 1 == line;
}

static int whole(const Id *text, int64_t *value)
{
    const char *p = text->text, *end = p + text->length;
    int negative = 0;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    if (p == end || end - p > 18)
        return 0;
    int64_t number = 0;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return 0;
        number = number * 10 + (*p - '0');
    }
    *value = negative ? -number : number;
    return 1;
}

static const double POWERS[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A decimal number, rounded as Python's float() rounds it; 0 for every other form, inf and nan among them. */
static int decimal(const Id *text, double *value)
{
    const char *p = text->text, *end = p + text->length;
    int negative = 0, digits = 0, any = 0, long_one = 0;
    int64_t scale = 0;
    uint64_t mantissa = 0;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    for (int fraction = 0; p < end; p++) {
        if (*p == '.' && !fraction) {
            fraction = 1;
            continue;
        }
        if (*p < '0' || *p > '9')
            break;
        any = 1;
        if (mantissa || *p != '0')
            digits++;
        if (digits > 18)
            long_one = 1;
        else
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        scale -= fraction;
    }
    if (!any)
        return 0;
    if (p < end && (*p == 'e' || *p == 'E')) {
        Id power = {p + 1, (uint32_t)(end - p - 1), 0};
        int64_t exponent;
        if (!whole(&power, &exponent) || exponent > 100000 || exponent < -100000)
            return 0;
        scale += exponent;
        p = end;
    }
    if (p != end)
        return 0;
    if (!long_one && mantissa < (1ull << 53) && scale >= -22 && scale <= 22) {
        double number = (double)mantissa; /* exact, and one correctly rounded operation follows */
        number = scale < 0 ? number / POWERS[-scale] : number * POWERS[scale];
        *value = negative ? -number : number;
        return 1;
    }
    char copy[64], *stop;
    if (text->length >= sizeof copy)
        return 0;
    memcpy(copy, text->text, text->length);
    copy[text->length] = 0;
    *value = strtod(copy, &stop);
    return stop == copy + text->length;
}

/* --- spellings -------------------------------------------------------------------------------------------------- */

static uint64_t kept[256]; /* a number for each letter, whatever its case, and each digit; everything else is 0 */

/* The number that equal bytes have whatever their case, at most 4 bytes. */
static inline uint32_t small(const char *p, size_t length)
{
    uint32_t word = 0;
    for (size_t i = 0; i < length; i++)
        word = word << 8 | ((unsigned char)p[i] | 0x20);
    return word;
}

/* Whether the id (1) or all before its fragment (2) ends here with up to three endings of files, slashes and
   underscores. */
static int is_ending(const char *p, const char *end)
{
    for (int round = 0; round < 3 && p < end && *p == '.'; round++) {
        size_t left = (size_t)(end - p) - 1;
        uint32_t three = left >= 3 ? small(p + 1, 3) : 0;
        if (three == 0x747874 || three == 0x706466) /* txt, pdf */
            p += 4;
        else if (left >= 4 && small(p + 1, 4) == 0x68746d6c) /* html */
            p += 5;
        else if (left >= 2 && small(p + 1, 2) == 0x6d64) /* md */
            p += 3;
        else
            return 0;
    }
    while (p < end && (*p == '/' || *p == '_'))
        p++;
    return p == end ? 1 : *p == '#' ? 2 : 0;
}

static int is_scheme(const char *p, const char *end)
{
    if (end - p < 4 || p[1] != '/' || p[2] != '/')
        return 0;
    p += p[3] == '/' ? 4 : 3;
    return p < end && *p != '/' && *p != '_';
}

static int is_bracket(const char *p, const char *end)
{
    if (end - p >= 5 && p[4] == '-' && (p[3] | 0x20) == 'b' && strchr("lr", p[1] | 0x20) && strchr("rsc", p[2] | 0x20))
        return 1;
    return end - p >= 7 && p[6] == '-' && (p[1] | 0x20) == 'c' && (p[5] | 0x20) == 'n';
}

static inline Remains remains_of(const Id *id)
{
    const char *p = id->text, *end = p + id->length, *from = p;
    Remains found = {0, 0, 0, 0};
    uint64_t h = 1;
    int number = 0, ending; /* whether a digit stands before, other than a leading zero */
    for (; p < end; p++) {
        unsigned char sign = (unsigned char)*p;
        uint64_t letter = kept[sign];
        if (letter) {
            int digit = (unsigned char)(sign - '0') < 10;
            if (sign == '0' && !number)
                continue;
            number = digit;
            h = (h << 7 | h >> 57) ^ letter;
            continue;
        }
        number = 0;
        if (sign >= 0x80 || sign == '%' || sign == '&' || (sign == '-' && is_bracket(p, end))) {
            found.further = 1;
        } else if (sign == ':' && is_scheme(p, end)) {
            h = 1;
            p += 2;
            from = p + 1;
        } else if (p > from && !found.fragment && (sign == '#' || sign == '.')) {
            ending = sign == '#' ? 2 : is_ending(p, end);
            if (ending == 1)
                break;
            if (ending == 2) {
                found.bare = h;
                found.fragment = 1;
            }
        } else if (sign == '.' && p > from && is_ending(p, end) == 1) {
            break;
        }
    }
    found.whole = h;
    if (!found.fragment)
        found.bare = h;
    return found;
}

/* --- qrels ------------------------------------------------------------------------------------------------------ */

static void free_qrels(Qrels *q)
{
    free(q->judgements);
    free(q->pools);
    free(q->table);
    if (q->buffer.obj)
        PyBuffer_Release(&q->buffer);
    free(q);
}

static void destroy(PyObject *capsule)
{
    free_qrels(PyCapsule_GetPointer(capsule, "evaudit.qrels"));
}

static Pool *find_pool(const Qrels *q, const Id *name)
{
    for (size_t slot = name->hash & q->mask; q->table[slot]; slot = (slot + 1) & q->mask)
        if (same(&q->pools[q->table[slot] - 1].name, name))
            return &q->pools[q->table[slot] - 1];
    return NULL;
}

static int index_pools(Qrels *q)
{
    size_t size = 16;
    while (size < q->pools_size * 2)
        size *= 2;
    q->mask = size - 1;
    q->table = calloc(size, sizeof *q->table);
    if (!q->table)
        return 0;
    for (size_t i = 0; i < q->pools_size; i++) {
        if (find_pool(q, &q->pools[i].name))
            return 0; /* the topic came back */
        size_t slot = q->pools[i].name.hash & q->mask;
        while (q->table[slot])
            slot = (slot + 1) & q->mask;
        q->table[slot] = (uint32_t)i + 1;
    }
    return 1;
}

/* Whether no document is judged twice in a topic. */
static int judged_once(const Qrels *q)
{
    uint32_t *table = NULL;
    size_t room = 0;
    int fine = 1;
    for (size_t i = 0; fine && i < q->pools_size; i++) {
        const Judgement *own = q->judgements + q->pools[i].first;
        size_t count = q->pools[i].count, size = 16;
        while (size < count * 2)
            size *= 2;
        if (!grow((void **)&table, &room, size, sizeof *table)) {
            fine = 0;
            break;
        }
        memset(table, 0, size * sizeof *table);
        for (size_t j = 0; fine && j < count; j++) {
            size_t slot = own[j].doc.hash & (size - 1);
            for (; table[slot]; slot = (slot + 1) & (size - 1))
                if (same(&own[table[slot] - 1].doc, &own[j].doc))
                    fine = 0;
            table[slot] = (uint32_t)j + 1;
        }
    }
    free(table);
    return fine;
}

static int read_qrels(Qrels *q, int pooled)
{
    const char *p = q->buffer.buf, *end = p + q->buffer.len;
    int odd = 0;
    if (!is_text(p, end))
        return 0;
    while (p < end) {
        const char *start = content(&p, end, &odd);
        if (odd)
            return 0;
        if (!start)
            continue;
        Id topic, iteration, doc, text, more;
        p = start;
        if (column(&p, end, &topic) != 1 || column(&p, end, &iteration) != 1 || column(&p, end, &doc) != 1 ||
            column(&p, end, &text) != 1 || column(&p, end, &more) != 0 || !line_end(&p, end))
            return 0;
        int64_t grade;
        if (!whole(&text, &grade) || grade > HIGHEST_GRADE || (grade < 0 && !pooled))
            return 0;
        topic.hash = hashed(topic.text, topic.length, end);
        doc.hash = hashed(doc.text, doc.length, end);
        if (!q->pools_size || !same(&q->pools[q->pools_size - 1].name, &topic)) {
            if (!grow((void **)&q->pools, &q->pools_room, q->pools_size + 1, sizeof *q->pools))
                return 0;
            q->pools[q->pools_size++] = (Pool){topic, q->size, 0, 1};
        }
        Pool *pool = &q->pools[q->pools_size - 1];
        if (grade < 0) {
            if (pool->highest_negative > 0 || grade > pool->highest_negative)
                pool->highest_negative = grade;
            q->unjudged++;
            grade = POOLED;
        }
        if (!grow((void **)&q->judgements, &q->room, q->size + 1, sizeof *q->judgements))
            return 0;
        Judgement *own = &q->judgements[q->size++];
        *own = (Judgement){doc, (int32_t)grade, remains_of(&doc)};
        pool->count++;
        q->rows++;
    }
    return q->rows && q->pools_size < 0x7fffffff && index_pools(q) && judged_once(q);
}

/* ((grade, number), ...), highest grade first */
static PyObject *pool_counts(const Qrels *q, const Pool *pool)
{
    uint32_t counts[HIGHEST_GRADE + 1];
    int top = -1, different = 0;
    for (size_t i = 0; i < pool->count; i++) {
        int grade = q->judgements[pool->first + i].grade;
        if (grade < 0)
            continue;
        for (; top < grade; top++)
            counts[top + 1] = 0;
        different += counts[grade]++ == 0;
    }
    PyObject *rows = PyTuple_New(different);
    Py_ssize_t place = 0;
    for (int grade = top; rows && grade >= 0; grade--) {
        if (!counts[grade])
            continue;
        PyObject *row = Py_BuildValue("(iI)", grade, counts[grade]);
        if (!row) {
            Py_CLEAR(rows);
            break;
        }
        PyTuple_SetItem(rows, place++, row);
    }
    return rows;
}

/* judgements(buffer, pooled) -> (handle, {topic: counts}, rows, unjudged, ((topic, highest negative), ...)) or None */
static PyObject *judgements(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *object, *topics = NULL, *negative = NULL, *capsule = NULL;
    int pooled, fine;
    if (!PyArg_ParseTuple(args, "Op", &object, &pooled))
        return NULL;
    Qrels *q = calloc(1, sizeof *q);
    if (!q)
        return PyErr_NoMemory();
    if (PyObject_GetBuffer(object, &q->buffer, PyBUF_SIMPLE) < 0) {
        free(q);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    fine = read_qrels(q, pooled);
    Py_END_ALLOW_THREADS
    if (!fine) {
        free_qrels(q);
        Py_RETURN_NONE;
    }
    capsule = PyCapsule_New(q, "evaudit.qrels", destroy);
    if (!capsule) {
        free_qrels(q);
        return NULL;
    }
    topics = PyDict_New();
    negative = PyList_New(0);
    for (size_t i = 0; topics && negative && i < q->pools_size; i++) {
        const Pool *pool = &q->pools[i];
        PyObject *name = PyUnicode_DecodeUTF8(pool->name.text, pool->name.length, "strict");
        PyObject *counts = name ? pool_counts(q, pool) : NULL;
        int bad = !counts || PyDict_SetItem(topics, name, counts) < 0;
        if (!bad && pool->highest_negative < 0 && PyTuple_Size(counts) == 0) {
            PyObject *row = Py_BuildValue("(OL)", name, (long long)pool->highest_negative);
            bad = !row || PyList_Append(negative, row) < 0;
            Py_XDECREF(row);
        }
        Py_XDECREF(name);
        Py_XDECREF(counts);
        if (bad)
            Py_CLEAR(topics);
    }
    PyObject *result = NULL;
    if (topics && negative)
        result = Py_BuildValue("(OOnnO)", capsule, topics, (Py_ssize_t)q->rows, (Py_ssize_t)q->unjudged, negative);
    Py_XDECREF(topics);
    Py_XDECREF(negative);
    Py_DECREF(capsule);
    if (!result && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    return result;
}

static PyObject *bytes_of(const Id *id)
{
    return PyBytes_FromStringAndSize(id->text, (Py_ssize_t)id->length);
}

static PyObject *bytes_or_none(const Id *id)
{
    return id->text ? bytes_of(id) : Py_NewRef(Py_None);
}

/* fold(handle, folded): judged documents that the scanner cannot fold itself are compared as folded(bytes) says. */
static PyObject *fold(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *folded;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &folded))
        return NULL;
    Qrels *q = PyCapsule_GetPointer(capsule, "evaudit.qrels");
    for (size_t i = 0; q && i < q->size; i++) {
        Judgement *own = &q->judgements[i];
        if (!own->remains.further)
            continue;
        PyObject *text = PyObject_CallFunction(folded, "y#", own->doc.text, (Py_ssize_t)own->doc.length);
        char *bytes;
        Py_ssize_t length;
        if (!text || PyBytes_AsStringAndSize(text, &bytes, &length) < 0) {
            Py_XDECREF(text);
            return NULL;
        }
        Id id = {bytes, (uint32_t)length, 0};
        own->remains = remains_of(&id);
        Py_DECREF(text);
    }
    if (!q)
        return NULL;
    Py_RETURN_NONE;
}

/* --- runs ------------------------------------------------------------------------------------------------------- */

typedef struct {
    Id doc;
    double score;
    int64_t rank;
    uint32_t line;
} Row;

typedef struct {
    int32_t rank, grade, tie_start, tie_size;
} Found;

typedef struct {
    Id name;
    const Pool *pool; /* NULL where the qrels lack the topic */
    size_t first, count, returned;
} Topic;

typedef struct {
    size_t topic;
    Id returned, judged; /* of a topic with documents that only Python can fold each stands alone */
} Near;

typedef struct {
    const Qrels *qrels;
    int order, ties, single, tied;
    Row *rows; /* the lines of the topic that is being read */
    size_t size, room;
    uint64_t *table; /* its documents: the hash, and below it the place in `rows`, 1-based */
    size_t table_room;
    Found *found;
    size_t found_size, found_room;
    Topic *topics;
    size_t topics_size, topics_room;
    size_t total, lines;
    Id tag;
    size_t gaps, gap_line, rises, rising, rise_line;
    Near *near; /* returned documents that may be other spellings of judged ones */
    size_t near_size, near_room;
    char *joined; /* which rows of the topic are judged documents */
    uint64_t *left; /* judged documents of the topic that were not returned: remains, and below them the place, 1-based */
    const Id **sorted; /* the documents of one group of equal scores, by id */
    size_t joined_room, left_room, sorted_room;
} Scan;

static int by_rank(const void *one, const void *other)
{
    const Row *a = one, *b = other;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_score(const void *one, const void *other)
{
    const Row *a = one, *b = other;
    int order = (a->score < b->score) - (a->score > b->score);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int by_found_rank(const void *one, const void *other)
{
    return ((const Found *)one)->rank - ((const Found *)other)->rank;
}

/* Puts the rows into the chosen order, within equal scores as listed; 0 where the topic is unusual. */
static int put_in_order(Scan *s)
{
    Row *rows = s->rows;
    size_t n = s->size;
    if (s->order == ORDER_RANKS) {
        size_t i = 1, rises = 0;
        while (i < n && rows[i].rank > rows[i - 1].rank)
            i++;
        if (i < n)
            qsort(rows, n, sizeof *rows, by_rank);
        for (i = 1; i < n; i++) {
            if (rows[i].rank == rows[i - 1].rank)
                return 0;
            if (rows[i].score > rows[i - 1].score) {
                if (!rises++ && !s->rising)
                    s->rise_line = rows[i].line;
            }
        }
        s->rises += rises;
        s->rising += rises > 0;
        if ((rows[0].rank != 0 && rows[0].rank != 1) || rows[n - 1].rank - rows[0].rank != (int64_t)n - 1) {
            if (!s->gaps++)
                s->gap_line = rows[0].line;
        }
    } else if (s->order == ORDER_SCORE) {
        size_t i = 1;
        while (i < n && rows[i].score <= rows[i - 1].score)
            i++;
        if (i < n)
            qsort(rows, n, sizeof *rows, by_score);
        for (i = 1; s->ties == TIES_REFUSED && i < n; i++)
            if (rows[i].score == rows[i - 1].score)
                return 0;
    }
    return 1;
}

/* Notes a judged document at its place among the rows; `rank_groups` makes a rank of it. */
static void note(Scan *s, size_t i, int32_t grade)
{
    s->found[s->found_size++] = (Found){(int32_t)i + 1, grade, (int32_t)i + 1, 1};
}

static int by_document(const void *one, const void *other)
{
    return compared(*(const Id *const *)one, *(const Id *const *)other);
}

/* How many documents of the rows from `start` to `end` come before one of them. */
static size_t counted_before(const Scan *s, size_t start, size_t end, const Id *doc)
{
    size_t before = 0;
    for (size_t j = start; j < end; j++)
        before += compared(&s->rows[j].doc, doc) < 0;
    return before;
}

#define FEW 4 /* judged documents of a group for which its documents are counted; they are sorted for more */

/* Ranks the judged documents of one group of equal scores, the rows from `start` to `end`, by their ids. */
static int rank_by_document(Scan *s, Found *found, size_t count, size_t start, size_t end)
{
    size_t size = end - start;
    if (count > FEW) {
        if (!grow((void **)&s->sorted, &s->sorted_room, size, sizeof *s->sorted))
            return 0;
        for (size_t j = 0; j < size; j++)
            s->sorted[j] = &s->rows[start + j].doc;
        qsort(s->sorted, size, sizeof *s->sorted, by_document);
    }
    for (Found *f = found; f < found + count; f++) {
        const Id *doc = &s->rows[f->rank - 1].doc;
        size_t before = 0, behind = size;
        if (count <= FEW)
            before = counted_before(s, start, end, doc);
        while (count > FEW && before < behind) {
            size_t middle = (before + behind) / 2;
            if (compared(s->sorted[middle], doc) < 0)
                before = middle + 1;
            else
                behind = middle;
        }
        f->rank = (int32_t)(start + 1 + (s->ties == TIES_DESCENDING ? size - 1 - before : before));
    }
    qsort(found, count, sizeof *found, by_found_rank);
    return 1;
}

/* The ranks of the noted documents and their groups of equal scores, each group looked at once; 0 without memory. */
static int rank_groups(Scan *s, Found *found, size_t count)
{
    const Row *rows = s->rows;
    qsort(found, count, sizeof *found, by_found_rank);
    if (s->order != ORDER_SCORE && !s->tied)
        return 1;
    for (size_t first = 0, last; first < count; first = last) {
        size_t start = (size_t)found[first].rank - 1, end = start + 1;
        const double score = rows[start].score;
        while (start && rows[start - 1].score == score)
            start--;
        while (end < s->size && rows[end].score == score)
            end++;
        for (last = first; last < count && (size_t)found[last].rank <= end; last++) {
            found[last].tie_start = (int32_t)start + 1;
            found[last].tie_size = (int32_t)(end - start);
        }
        if (s->order == ORDER_SCORE && s->ties < TIES_LISTED && end - start > 1 &&
            !rank_by_document(s, found + first, last - first, start, end))
            return 0;
    }
    return 1;
}

/* The 1-based place of a document in `rows`; 0 where it is not among them, and `slot` is then free for it. */
static inline size_t find_row(const Scan *s, const Id *doc, size_t *slot, size_t mask)
{
    uint64_t entry;
    for (; (entry = s->table[*slot]); *slot = (*slot + 1) & mask)
        if ((uint32_t)(entry >> 32) == doc->hash && same(&s->rows[(uint32_t)entry - 1].doc, doc))
            return (uint32_t)entry;
    return 0;
}

static int note_near(Scan *s, const Id *returned, const Id *judged)
{
    const Id none = {NULL, 0, 0};
    if (!grow((void **)&s->near, &s->near_room, s->near_size + 1, sizeof *s->near))
        return 0;
    s->near[s->near_size++] = (Near){s->topics_size - 1, returned ? *returned : none, judged ? *judged : none};
    return 1;
}

static inline uint64_t mixed(uint64_t remains)
{
    return remains * 0x9E3779B97F4A7C15ull;
}

#define OF_BARE 0x80000000u /* marks a document in `left` that stands there without its fragment */

static void put_left(Scan *s, uint64_t remains, uint32_t place, size_t mask)
{
    uint64_t key = mixed(remains);
    size_t slot = (size_t)(key >> 32) & mask;
    while (s->left[slot])
        slot = (slot + 1) & mask;
    s->left[slot] = (key >> 32) << 32 | place;
}

/* Notes the judged documents in `left` that have this number; `bare`: only whole ones that have no fragment. */
static int look_up(Scan *s, const Judgement *own, size_t mask, uint64_t remains, const Id *doc, int bare)
{
    uint64_t key = mixed(remains), entry;
    for (size_t slot = (size_t)(key >> 32) & mask; (entry = s->left[slot]); slot = (slot + 1) & mask) {
        if (entry >> 32 != key >> 32)
            continue;
        const Judgement *judged = &own[((uint32_t)entry & ~OF_BARE) - 1];
        if (!(bare && judged->remains.fragment) && !note_near(s, doc, &judged->doc))
            return 0;
    }
    return 1;
}

/* Notes the rows that are no judged document and may be another spelling of one that was not returned: `left` holds
   those. 0 where memory ran out. */
static int note_spellings(Scan *s, const Judgement *own, size_t mask)
{
    int any_further = 0;
    for (size_t i = 0; i < s->size; i++) {
        if (s->joined[i])
            continue;
        const Id *doc = &s->rows[i].doc;
        Remains remains = remains_of(doc);
        if (remains.further) {
            any_further = 1;
            if (!note_near(s, doc, NULL))
                return 0;
        } else if (!look_up(s, own, mask, remains.whole, doc, 0) ||
                   (remains.fragment && !look_up(s, own, mask, remains.bare, doc, 1))) {
            return 0;
        }
    }
    for (size_t slot = 0; any_further && slot <= mask; slot++)
        if (s->left[slot] && !(s->left[slot] & OF_BARE) &&
            !note_near(s, NULL, &own[(uint32_t)s->left[slot] - 1].doc))
            return 0;
    return 1;
}

/* The topic whose lines are in `rows` is complete; 0 where it is unusual. */
static int finish(Scan *s)
{
    if (!s->size)
        return 1;
    if (s->size > 0x3fffffff || s->qrels->size > 0x3fffffff || !put_in_order(s))
        return 0;
    size_t size = 16;
    while (size < s->size * 2)
        size *= 2;
    if (!grow((void **)&s->table, &s->table_room, size, sizeof *s->table))
        return 0;
    memset(s->table, 0, size * sizeof *s->table);
    for (size_t i = 0; i < s->size; i++) {
        size_t slot = s->rows[i].doc.hash & (size - 1);
        if (find_row(s, &s->rows[i].doc, &slot, size - 1))
            return 0;
        s->table[slot] = (uint64_t)s->rows[i].doc.hash << 32 | (i + 1);
    }
    Topic *topic = &s->topics[s->topics_size - 1];
    topic->returned = s->size;
    topic->first = s->found_size;
    topic->pool = find_pool(s->qrels, &topic->name);
    if (topic->pool) {
        const Judgement *own = s->qrels->judgements + topic->pool->first;
        size_t judged = 16, missing = 0;
        while (judged < topic->pool->count * 4)
            judged *= 2;
        if (!grow((void **)&s->found, &s->found_room, s->found_size + topic->pool->count, sizeof *s->found) ||
            !grow((void **)&s->joined, &s->joined_room, s->size, 1) ||
            !grow((void **)&s->left, &s->left_room, judged, sizeof *s->left))
            return 0;
        memset(s->joined, 0, s->size);
        memset(s->left, 0, judged * sizeof *s->left);
        for (size_t j = 0; j < topic->pool->count; j++) {
            size_t slot = own[j].doc.hash & (size - 1), place = find_row(s, &own[j].doc, &slot, size - 1);
            if (place) {
                note(s, place - 1, own[j].grade);
                s->joined[place - 1] = 1;
                continue;
            }
            missing++;
            put_left(s, own[j].remains.whole, (uint32_t)j + 1, judged - 1);
            if (own[j].remains.fragment)
                put_left(s, own[j].remains.bare, ((uint32_t)j + 1) | OF_BARE, judged - 1);
        }
        if (missing && !note_spellings(s, own, judged - 1))
            return 0;
    }
    topic->count = s->found_size - topic->first;
    if (topic->count && !rank_groups(s, s->found + topic->first, topic->count))
        return 0;
    s->total += s->size;
    s->size = 0;
    return 1;
}

static inline const char *behind_blanks(const char *p, const char *end)
{
    while (p < end && kind[(unsigned char)*p] == BLANK)
        p++;
    return p;
}

/* Whether the bytes at `p` repeat the `length` ones at `before`; some byte follows them before `end`. */
static inline int same_bytes(const char *p, const char *end, const char *before, size_t length)
{
    if ((size_t)(end - p) < length + 8 || !length)
        return 0;
    uint64_t one, other;
    for (; length > 8; length -= 8, p += 8, before += 8) {
        memcpy(&one, p, 8);
        memcpy(&other, before, 8);
        if (one != other)
            return 0;
    }
    return first_bytes(p, length, end) == first_bytes(before, length, end);
}

/* A column that often repeats the one of the line before: 1, or what `column` says. */
static inline int repeated_column(const char **at, const char *end, Id *found)
{
    const char *p = behind_blanks(*at, end);
    if (found->length && repeats(p, end, found)) {
        found->text = p;
        *at = p + found->length;
        return 1;
    }
    return column(at, end, found);
}

/* The rank column, its number only where it is asked for. */
static inline int rank_column(const char **at, const char *end, int wanted, int64_t *rank)
{
    const char *p = behind_blanks(*at, end), *start = p;
    int64_t number = 0;
    while (p < end && (unsigned char)(*p - '0') < 10 && p - start < 18)
        number = number * 10 + (*p++ - '0');
    if (p > start && p < end && kind[(unsigned char)*p] == BLANK) {
        *rank = number;
        *at = p;
        return 1;
    }
    Id text;
    *rank = 0;
    return column(at, end, &text) == 1 && (!wanted || whole(&text, rank));
}

/* The score column; digits with a point among them are read in passing. */
static inline int score_column(const char **at, const char *end, double *score)
{
    const char *p = behind_blanks(*at, end), *start = p, *point = NULL;
    uint64_t mantissa = 0;
    for (; p < end && p - start < 17; p++) {
        unsigned char digit = (unsigned char)(*p - '0');
        if (digit < 10)
            mantissa = mantissa * 10 + digit;
        else if (*p == '.' && !point)
            point = p;
        else
            break;
    }
    if (p < end && kind[(unsigned char)*p] == BLANK && mantissa < (1ull << 53) && p - start > (point ? 1 : 0)) {
        *score = point ? (double)mantissa / POWERS[p - point - 1] : (double)mantissa;
        *at = p;
        return 1;
    }
    Id text;
    return column(at, end, &text) == 1 && decimal(&text, score);
}

static int scan_lines(Scan *s, const char *p, const char *end)
{
    int odd = 0;
    Id topic = {NULL, 0, 0}, constant = {NULL, 0, 0};
    const char *head = NULL, *tail = NULL; /* of the line before: its first two columns, its last one with the line's end */
    size_t head_length = 0, tail_length = 0;
    if (!is_text(p, end))
        return 0;
    while (p < end) {
        s->lines++;
        if (s->size >= s->room && !grow((void **)&s->rows, &s->room, s->size + 1, sizeof *s->rows))
            return 0;
        Row *row = &s->rows[s->size];
        Id name = topic;
        if (same_bytes(p, end, head, head_length)) {
            p += head_length;
        } else {
            const char *start = kind[(unsigned char)*p] == PLAIN && *p != '#' ? p : content(&p, end, &odd);
            if (odd)
                return 0;
            if (!start)
                continue;
            p = start;
            if (repeated_column(&p, end, &name) != 1 || repeated_column(&p, end, &constant) != 1)
                return 0;
            p = behind_blanks(p, end);
            head = start;
            head_length = (size_t)(p - start);
        }
        if (column(&p, end, &row->doc) != 1 || !rank_column(&p, end, s->order == ORDER_RANKS, &row->rank) ||
            !score_column(&p, end, &row->score) || s->lines > 0xfffffff0u)
            return 0;
        if (same_bytes(p, end, tail, tail_length)) {
            p += tail_length;
        } else {
            tail = p;
            if (repeated_column(&p, end, &s->tag) != 1 || !line_end(&p, end))
                return 0;
            tail_length = p[-1] == '\n' ? (size_t)(p - tail) : 0;
        }
        if (s->order == ORDER_SCORE && s->single)
            row->score = (double)(float)row->score;
        row->line = (uint32_t)s->lines;
        row->doc.hash = hashed(row->doc.text, row->doc.length, end);
        if (!topic.length || name.length != topic.length || memcmp(name.text, topic.text, topic.length)) {
            Row first = *row;
            if (!finish(s) || !grow((void **)&s->topics, &s->topics_room, s->topics_size + 1, sizeof *s->topics))
                return 0;
            name.hash = hashed(name.text, name.length, end);
            s->topics[s->topics_size++] = (Topic){name, NULL, 0, 0, 0};
            s->rows[0] = first;
            topic = name;
        }
        s->size++;
    }
    return finish(s);
}

/* One list of the found documents' numbers, judged ones or pooled ones. */
static PyObject *numbers(const Found *found, size_t count, int pooled, int grades)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += (found[i].grade == POOLED) == pooled;
    PyObject *list = PyList_New((Py_ssize_t)size);
    Py_ssize_t place = 0;
    for (size_t i = 0; list && i < count; i++) {
        if ((found[i].grade == POOLED) != pooled)
            continue;
        PyObject *number = PyLong_FromLong(grades ? found[i].grade : found[i].rank);
        if (!number)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, place++, number);
    }
    return list;
}

static PyObject *tied_groups(const Found *found, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        if (found[i].grade == POOLED)
            continue;
        PyObject *pair = Py_BuildValue("(ii)", found[i].tie_start, found[i].tie_size);
        if (!pair || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* {topic: (returned, ranks, grades, pooled, tied or None) or None}, or NULL where a topic came back or is no UTF-8 */
static PyObject *scanned_topics(const Scan *s)
{
    PyObject *topics = PyDict_New();
    for (size_t i = 0; topics && i < s->topics_size; i++) {
        const Topic *topic = &s->topics[i];
        const Found *found = s->found + topic->first;
        PyObject *name = PyUnicode_DecodeUTF8(topic->name.text, topic->name.length, "strict");
        int bad = !name || PyDict_Contains(topics, name) != 0;
        if (!bad && !topic->pool) {
            bad = PyDict_SetItem(topics, name, Py_None) < 0;
        } else if (!bad) {
            PyObject *ranks = numbers(found, topic->count, 0, 0);
            PyObject *grades = numbers(found, topic->count, 0, 1);
            PyObject *pooled = numbers(found, topic->count, 1, 0);
            PyObject *tied = s->tied ? tied_groups(found, topic->count) : Py_NewRef(Py_None);
            PyObject *row = NULL;
            if (ranks && grades && pooled && tied)
                row = Py_BuildValue("(nOOOO)", (Py_ssize_t)topic->returned, ranks, grades, pooled, tied);
            bad = !row || PyDict_SetItem(topics, name, row) < 0;
            Py_XDECREF(ranks);
            Py_XDECREF(grades);
            Py_XDECREF(pooled);
            Py_XDECREF(tied);
            Py_XDECREF(row);
        }
        Py_XDECREF(name);
        if (bad)
            Py_CLEAR(topics);
    }
    return topics;
}

/* [(topic, returned or None, judged or None), ...] */
static PyObject *near_documents(const Scan *s)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < s->near_size; i++) {
        const Near *near = &s->near[i];
        const Id *topic = &s->topics[near->topic].name;
        PyObject *name = bytes_of(topic), *returned = bytes_or_none(&near->returned);
        PyObject *judged = bytes_or_none(&near->judged);
        PyObject *row = name && returned && judged ? Py_BuildValue("(OOO)", name, returned, judged) : NULL;
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
        Py_XDECREF(returned);
        Py_XDECREF(judged);
        Py_XDECREF(row);
    }
    return list;
}

/* scan(handle, buffer, start, end, order, ties, single, tied)
   -> (topics, rows, lines, tag, (gaps, line), (rises, topics, line), near documents) or None */
static PyObject *scan(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *object;
    Py_ssize_t start, end;
    Scan s;
    memset(&s, 0, sizeof s);
    if (!PyArg_ParseTuple(args, "OOnniipp", &capsule, &object, &start, &end, &s.order, &s.ties, &s.single, &s.tied))
        return NULL;
    s.qrels = PyCapsule_GetPointer(capsule, "evaudit.qrels");
    if (!s.qrels)
        return NULL;
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_SIMPLE) < 0)
        return NULL;
    int fine = start >= 0 && start <= end && end <= buffer.len && !strcmp(localeconv()->decimal_point, ".");
    if (fine) {
        Py_BEGIN_ALLOW_THREADS
        fine = scan_lines(&s, (const char *)buffer.buf + start, (const char *)buffer.buf + end);
        Py_END_ALLOW_THREADS
    }
    PyObject *result = NULL;
    PyObject *topics = fine ? scanned_topics(&s) : NULL;
    PyObject *near = topics ? near_documents(&s) : NULL;
    if (near)
        result = Py_BuildValue("(Onny#(nn)(nnn)O)", topics, (Py_ssize_t)s.total, (Py_ssize_t)s.lines, s.tag.text,
                               (Py_ssize_t)s.tag.length, (Py_ssize_t)s.gaps, (Py_ssize_t)s.gap_line,
                               (Py_ssize_t)s.rises, (Py_ssize_t)s.rising, (Py_ssize_t)s.rise_line, near);
    Py_XDECREF(near);
    Py_XDECREF(topics);
    PyBuffer_Release(&buffer);
    free(s.rows);
    free(s.table);
    free(s.found);
    free(s.topics);
    free(s.near);
    free(s.joined);
    free(s.left);
    free(s.sorted);
    if (result)
        return result;
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
        return NULL;
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* --- ranges ----------------------------------------------------------------------------------------------------- */

typedef struct {
    double low, high;
} Ends;

/* The same sums, in the same order, as unjudged_orders.py: the earliest for the high end, the latest for the low one;
   `after` holds the sums of 1/rank over the last n positives. */
static Ends tried_ends(const long *positive, long hits, const double *after, const long *free_ranks, long count,
                       long known, long below, double start)
{
    Ends ends = {Py_HUGE_VAL, -Py_HUGE_VAL};
    double total = start, late = 0.0;
    long a = 0;
    for (long m = 1; m <= count; m++) {
        long rank = free_ranks[m - 1];
        while (a < hits && positive[a] < rank)
            a++;
        total += (double)(a + m) / (double)rank + after[hits - a];
        if (total / (double)(known + m) > ends.high)
            ends.high = total / (double)(known + m);
    }
    total = start;
    for (long m = 1; m <= count; m++) {
        long rank = free_ranks[count - m];
        while (a > 0 && positive[a - 1] >= rank)
            a--;
        total += (double)(a + 1) / (double)rank + after[hits - a] + late;
        late += 1.0 / (double)rank;
        if (total / (double)(known + below + m) < ends.low)
            ends.low = total / (double)(known + below + m);
    }
    return ends;
}

/* precision_ends(positive, judged, size, known, below, start) -> (low, high): the smallest AP with the m latest of the
   unjudged ranks up to `size` relevant as well and `below` further positives outside, and the largest with the m
   earliest, m = 1 ... all; (inf, -inf) where no rank is unjudged. */
static PyObject *precision_ends(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *positive, *judged, *result = NULL;
    long size, known, below;
    double start;
    if (!PyArg_ParseTuple(args, "OOllld", &positive, &judged, &size, &known, &below, &start))
        return NULL;
    Py_ssize_t hits = PySequence_Size(positive), count = PySequence_Size(judged);
    if (hits < 0 || count < 0 || size < 0)
        return NULL;
    long *ranks = malloc(((size_t)hits + (size_t)size + 1) * sizeof *ranks);
    double *after = malloc(((size_t)hits + 1) * sizeof *after);
    char *taken = calloc((size_t)size + 1, 1);
    int fine = ranks && after && taken;
    for (Py_ssize_t i = 0; fine && i < hits + count; i++) {
        PyObject *item = i < hits ? PySequence_GetItem(positive, i) : PySequence_GetItem(judged, i - hits);
        long rank = item ? PyLong_AsLong(item) : -1;
        Py_XDECREF(item);
        if (rank < 1)
            fine = 0;
        else if (i < hits)
            ranks[i] = rank;
        else if (rank <= size)
            taken[rank] = 1;
    }
    if (fine) {
        long *free_ranks = ranks + hits, free_count = 0;
        for (long rank = 1; rank <= size; rank++)
            if (!taken[rank])
                free_ranks[free_count++] = rank;
        after[0] = 0.0;
        for (Py_ssize_t i = 1; i <= hits; i++)
            after[i] = after[i - 1] + 1.0 / (double)ranks[hits - i];
        Ends ends = tried_ends(ranks, (long)hits, after, free_ranks, free_count, known, below, start);
        result = Py_BuildValue("(dd)", ends.low, ends.high);
    }
    free(ranks);
    free(after);
    free(taken);
    if (!result && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "ranks are whole numbers from 1");
    return result;
}

/* A mapped file that somebody cuts off ends a process by SIGBUS when what is gone is read. Within a guarded range such a
   page, and all behind it, is replaced by zeros instead: the reader finds them unusual, and the caller, who looks
   whether the file was written, says so. */
#ifndef _WIN32
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_GUARDED 16

static struct { char *volatile start; char *volatile end; } guarded[MOST_GUARDED];
static struct sigaction before_us;
static uintptr_t page_size;

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    char *at = info->si_addr;
    (void)number, (void)context;
    for (int i = 0; i < MOST_GUARDED; i++) {
        char *start = guarded[i].start, *end = guarded[i].end;
        char *page = (char *)((uintptr_t)at & ~(page_size - 1));
        if (!start || at < start || at >= end)
            continue;
        if (mmap(page, (size_t)(end - page), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
            return;
    }
    sigaction(SIGBUS, &before_us, NULL); /* the access is tried again, and ends the process */
}

static int watch_bus_errors(void)
{
    struct sigaction action;
    if (page_size)
        return 1;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (!sigaction(SIGBUS, &action, &before_us))
        return 1;
    page_size = 0;
    return 0;
}

static PyObject *guard(PyObject *self, PyObject *content)
{
    Py_buffer view;
    (void)self;
    if (PyObject_GetBuffer(content, &view, PyBUF_SIMPLE))
        return NULL;
    char *start = view.buf;
    Py_ssize_t length = view.len;
    PyBuffer_Release(&view);
    if (watch_bus_errors())
        for (int i = 0; i < MOST_GUARDED; i++)
            if (!guarded[i].start) {
                guarded[i].end = start + length;
                guarded[i].start = start;
                return PyLong_FromLong(i);
            }
    Py_RETURN_NONE;
}

static PyObject *release(PyObject *self, PyObject *place)
{
    long i = PyLong_AsLong(place);
    (void)self;
    if (i >= 0 && i < MOST_GUARDED)
        guarded[i].start = NULL;
    else if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}
#else
static PyObject *guard(PyObject *self, PyObject *content)
{
    (void)self, (void)content;
    Py_RETURN_NONE; /* a mapped file cannot be cut off there, and is read whole */
}

static PyObject *release(PyObject *self, PyObject *place)
{
    (void)self, (void)place;
    Py_RETURN_NONE;
}
#endif

static PyMethodDef methods[] = {
    {"precision_ends", precision_ends, METH_VARARGS, "Smallest and largest AP over unjudged documents."},
    {"fold", fold, METH_VARARGS, "Fold the judged documents that the scanner cannot fold itself."},
    {"guard", guard, METH_O, "Read zeros where a mapped file was cut off; the place to release, None where it cannot."},
    {"judgements", judgements, METH_VARARGS, "Read a qrels file; None where it is unusual."},
    {"release", release, METH_O, "Guard a place no more."},
    {"scan", scan, METH_VARARGS, "Scan a part of a run that begins and ends between topics; None where it is unusual."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "Scanner of well-formed TREC files.", -1, methods, NULL, NULL, NULL, NULL,
};

#ifndef SOURCE_DIGEST
#define SOURCE_DIGEST ""
#endif

PyMODINIT_FUNC PyInit__kernel(void)
{
    memset(kind, PLAIN, sizeof kind);
    kind[' '] = kind['\t'] = kind['\v'] = kind['\f'] = BLANK;
    kind['\n'] = NEWLINE;
    kind['\r'] = RETURN;
    kind[0xEF] = MARK;
    for (int sign = '0'; sign <= 'z'; sign++)
        if (sign <= '9' || sign >= 'a' || (sign >= 'A' && sign <= 'Z'))
            kept[sign] = mixed((uint64_t)(sign >= 'A' ? sign | 0x20 : sign) << 7) | 1;
    for (int length = 0; length < 8; length++) {
        unsigned char bytes[8] = {0};
        memset(bytes, 0xff, (size_t)length);
        memcpy(&KEPT[length], bytes, 8);
    }
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddStringConstant(module, "source", SOURCE_DIGEST) < 0)
        Py_CLEAR(module);
    return module;
}
