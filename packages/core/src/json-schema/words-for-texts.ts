import { reporter, type Word } from './compiling.ts'

function length(
  word: string,
  quantity: string,
  isMet: (length: number, limit: number) => boolean,
): Word<number, string> {
  return (compiling, wanted) => {
    const report = reporter(compiling, word, `must NOT have ${quantity} than ${wanted} characters`)
    return (data, place, frame) => isMet([...data].length, wanted) || report(data, place, frame)
  }
}

/** Words about texts, in the order in which their problems are reported. */
export const wordsForTexts: Readonly<Record<string, Word<never, string>>> = {
  maxLength: length('maxLength', 'more', (characters, wanted) => characters <= wanted),
  minLength: length('minLength', 'fewer', (characters, wanted) => characters >= wanted),
  pattern(compiling, source: string) {
    const pattern = compiling.vocabulary.dialect.pattern(source)
    const report = reporter(compiling, 'pattern', `must match pattern "${source}"`)
    return (data, place, frame) => pattern.test(data) || report(data, place, frame)
  },
  format(compiling, name: string) {
    const { hasFormat } = compiling.vocabulary.dialect
    if (hasFormat === undefined) return undefined
    const report = reporter(compiling, 'format', `must match format "${name}"`)
    return (data, place, frame) => hasFormat(name, data) || report(data, place, frame)
  },
}
