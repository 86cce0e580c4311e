/* Names that have to be demangled: namespaces, templates, overloads, operators, a lambda. */
namespace shop {

struct Basket {
    long steps;
    template <typename Unit> __attribute__((noinline)) long total(Unit unit) const
    {
        volatile long sum = 0;
        for (long i = 0; i < steps; i++)
            sum += i * unit;
        return sum + 1;
    }
    __attribute__((noinline)) long operator()(long unit) const { return total(unit) + 1; }
};

namespace {
__attribute__((noinline)) long count(const Basket &basket) { return basket(3) + 1; }
} // namespace

__attribute__((noinline)) long count(const Basket &first, const Basket &second)
{
    auto twice = [](const Basket &basket) __attribute__((noinline)) { return basket.total('x') + count(basket); };
    return twice(first) + twice(second) + 1;
}

} // namespace shop

int main()
{
    const shop::Basket basket = {3000000};
    return shop::count(basket, basket) == 0;
}
