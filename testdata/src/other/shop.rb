# For stackprof and ruby-prof: recursion, methods called by sort, blocks, method_missing, a fiber.
def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end
def even(n) n == 0 ? 1 : odd(n - 1) end
def odd(n) n == 0 ? 2 : even(n - 1) end

class Item
  attr_reader :price
  def initialize(price) @price = price end
  def <=>(other) price <=> other.price end
  def method_missing(name, *arguments) name.to_s.length end
  def self.make(price) new(price) end
  def [](i) @price * i end
end

def main(k)
  sum = fib(10 + k) + even(20)
  items = (1..30).map { |i| Item.make((i * 7919) % 31) }
  items.sort.each { |item| sum += item[2] + item.nothing }
  sum + items.max_by(&:price).map { |y| y }.to_i + Fiber.new { fib(4) }.resume
rescue NoMethodError
  sum
end
