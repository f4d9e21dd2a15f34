import { fits, mergeInner, reporter, type Word } from '../compiling.ts'
import { fitsSilently, noDemand } from './words-for-any.ts'

/** Words that choose a schema by another one. */
export const wordsForChoices: Readonly<Record<string, Word<never, unknown>>> = {
  if(compiling, schema: unknown) {
    const has = (word: 'then' | 'else'): boolean =>
      compiling.schema[word] !== undefined && !compiling.allowsAll(compiling.schema[word])
    if (!has('then') && !has('else')) return undefined
    const test = compiling.inner(schema, { isComposite: true, stopsAtFirst: true })
    const mergeTest = mergeInner(compiling, test, 'always')
    const clause = (word: 'then' | 'else') => {
      if (!has(word)) return undefined
      const inner = compiling.inner(compiling.schema[word])
      const merge = mergeInner(compiling, inner, 'for some values')
      return { step: inner.step, merge, report: reporter(compiling, 'if', `must match "${word}" schema`) }
    }
    const [whenMet, otherwise] = [clause('then'), clause('else')]
    return (data, place, frame) => {
      const isMet = fitsSilently(test.step, data, place, frame)
      mergeTest(frame.slots)
      const chosen = isMet ? whenMet : otherwise
      if (chosen === undefined) return
      if (fits(chosen.step, data, place, frame)) chosen.merge(frame.slots)
      else chosen.report(data, place, frame)
    }
  },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
  then: noDemand,
  else: noDemand,
}
