/* An index of articles as a tree: insert and walk call themselves. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static struct node *insert(struct node *node, int key)
{
    if (node == NULL) {
        node = calloc(1, sizeof *node);
        node->key = key;
    } else if (key < node->key) {
        node->left = insert(node->left, key);
    } else {
        node->right = insert(node->right, key);
    }
    return node;
}

static int walk(const struct node *node, int depth)
{
    if (node == NULL)
        return 0;
    return walk(node->left, depth + 1) + node->key % 7 * depth + walk(node->right, depth + 1);
}

int main(void)
{
    struct node *root = NULL;
    unsigned key = 1;
    for (int i = 0; i < 300; i++)
        root = insert(root, (int)((key = key * 1103515245u + 12345u) >> 16 & 0x7fff));
    int sum = 0;
    for (int i = 0; i < 20; i++)
        sum += walk(root, 0);
    printf("%d\n", sum);
    return 0;
}
