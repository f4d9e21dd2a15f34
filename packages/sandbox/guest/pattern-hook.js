// @ts-check

/**
 * Shows the host what it watches to know that a pattern and its methods are the engine's own, and lets it replace these
 * methods: see src/vm/patterns/pattern-hook.ts. Runs before user code.
 *
 * @param {(...values: readonly unknown[]) => void} show passes addresses of values to the host.
 */
;(show) => {
  const shared = RegExp.prototype
  const texts = String.prototype
  /** @param {object} target @param {PropertyKey} key */
  const getterOf = (target, key) => Object.getOwnPropertyDescriptor(target, key)?.get
  // The engine makes most functions when they are first read, and then changes how the property is stored.
  for (const target of [shared, texts, RegExp])
    for (const key of Reflect.ownKeys(target)) Object.getOwnPropertyDescriptor(target, key)
  // All that is shown is kept, because another object at the address of a freed one would look unchanged.
  const { [Symbol.replace]: replace, [Symbol.match]: match, [Symbol.search]: search, [Symbol.split]: split } = shared
  const { exec } = shared
  const species = getterOf(RegExp, Symbol.species)
  const flags = ['hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'sticky']
  const flagGetters = ['flags', ...flags].map((key) => getterOf(shared, key))
  // Not literals, because some tools that read this file do not know all flags.
  const [most, sets] = ['dimsuy', 'v']
  const samples = [/pro[b]e+/g, new RegExp('a{2}@', most), new RegExp('(?:)', sets)]
  samples.forEach((sample, place) => {
    sample.lastIndex = place + 5
  })
  // Objects with a property as those of `exec` and `flags`, by which the host checks where keys are.
  const hidden = { enumerable: false, configurable: true }
  const execSample = Object.defineProperty({}, 'exec', { value: 1, writable: true, ...hidden })
  const flagsSample = Object.defineProperty({}, 'flags', { get: () => 1, ...hidden })
  // Kept, because the host reads what its class is after this program has run.
  const ownFunction = () => {}
  const methods = [texts.replace, texts.replaceAll, texts.match, texts.search, texts.split, shared.test]
  const names = ['replace', 'replaceAll', 'match', 'search', 'split', 'test']
  return {
    samples,
    methods,
    arrayOf: Array.of,
    minusOne: -1,
    showSamples: () => show(...samples, ownFunction, execSample),
    showWatched: () => {
      show(shared, RegExp, execSample, flagsSample, exec, replace, match, search, split, species, ...flagGetters)
    },
    /** @param {readonly object[]} values The methods that take the place of `methods`. */
    replaceMethods: (...values) => {
      values.forEach((value, place) => {
        const key = names[place] ?? ''
        const fixed = { writable: false, enumerable: false, configurable: true }
        Object.defineProperty(value, 'length', { value: methods[place]?.length, ...fixed })
        Object.defineProperty(key === 'test' ? shared : texts, key, { ...fixed, value, writable: true })
      })
    },
  }
}
