# For yappi and cProfile: methods, a generator, a lambda, recursion, functions that call each other.
class Item:
    def __init__(self, price):
        self.price = price

    def value(self):
        return fib(self.price)

    @staticmethod
    def dearest(prices):
        return sorted(prices, key=lambda price: -price)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def parities(n):
    for i in range(n):
        yield even(i)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def main():
    item = Item(11)
    item.value()
    return list(parities(8)), Item.dearest(range(9))


if __name__ == '__main__':
    main()
