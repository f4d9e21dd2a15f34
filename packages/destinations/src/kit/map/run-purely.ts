/**
 * Runs a function with the clock, randomness and network of the platform set to throw, and puts them back. For tests: what a
 * definition declares has to be pure. Dates an event gives may be parsed; asking for the present may not.
 *
 * @throws Error ('not pure') where the function asks for one of them; and whatever it throws itself.
 */
export function runPurely<T>(run: () => T): T {
  const { Date: realDate, fetch: realFetch } = globalThis
  const realRandom = Math.random
  const refuse = (): never => {
    throw new Error('not pure: it asked for the present, for chance or for the network')
  }
  globalThis.Date = new Proxy(realDate, {
    construct: (target, args) => (args.length === 0 ? refuse() : Reflect.construct(target, args)),
    apply: refuse,
    get: (target, key) => (key === 'now' ? refuse : Reflect.get(target, key)),
  })
  globalThis.fetch = refuse
  Math.random = refuse
  try {
    return run()
  } finally {
    globalThis.Date = realDate
    globalThis.fetch = realFetch
    Math.random = realRandom
  }
}
