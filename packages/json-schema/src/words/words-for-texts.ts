import { sizeLimit } from '../bounds/size-limit.ts'
import { spendOn } from '../bounds/steps.ts'
import { reporter, type Word } from '../compiling.ts'
import { patternOf } from './patterns.ts'

const lengthOf = (text: string): number => [...text].length

/** Words about texts, in the order in which their problems are reported. */
export const wordsForTexts: Readonly<Record<string, Word<never, string>>> = {
  maxLength: sizeLimit('maxLength', 'characters', lengthOf),
  minLength: sizeLimit('minLength', 'characters', lengthOf),
  pattern(compiling, source: string) {
    const pattern = patternOf(compiling, source)
    const report = reporter(compiling, 'pattern', `must match pattern "${source}"`)
    return (data, place, frame) => {
      if (!pattern.test(data, frame)) report(data, place, frame)
    }
  },
  format(compiling, name: string) {
    const { hasFormat } = compiling.vocabulary.dialect
    if (hasFormat === undefined) return undefined
    const report = reporter(compiling, 'format', `must match format "${name}"`)
    return (data, place, frame) => {
      spendOn(data, frame)
      if (!hasFormat(name, data)) report(data, place, frame)
    }
  },
}
