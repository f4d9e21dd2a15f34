import { reporter, type Word } from '../compiling.ts'

function limit(word: string, sign: string, isMet: (data: number, limit: number) => boolean): Word<number, number> {
  return (compiling, wanted) => {
    const report = reporter(compiling, word, `must be ${sign} ${wanted}`)
    return (data, place, frame) => isMet(data, wanted) || report(data, place, frame)
  }
}

/** Words about numbers, in the order in which their problems are reported. */
export const wordsForNumbers = {
  maximum: limit('maximum', '<=', (data, wanted) => data <= wanted),
  minimum: limit('minimum', '>=', (data, wanted) => data >= wanted),
  exclusiveMaximum: limit('exclusiveMaximum', '<', (data, wanted) => data < wanted),
  exclusiveMinimum: limit('exclusiveMinimum', '>', (data, wanted) => data > wanted),
  multipleOf(compiling, of: number) {
    const report = reporter(compiling, 'multipleOf', `must be multiple of ${of}`)
    // As ajv has it: a quotient that is printed with an exponent is no whole number.
    const isWhole = (quotient: number): boolean => quotient === Number.parseInt(String(quotient), 10)
    return (data, place, frame) => (of !== 0 && isWhole(data / of)) || report(data, place, frame)
  },
  format(compiling, name: string) {
    const { hasFormat } = compiling.vocabulary.dialect
    if (hasFormat === undefined) return undefined
    const report = reporter(compiling, 'format', `must match format "${name}"`)
    return (data, place, frame) => hasFormat(name, data) || report(data, place, frame)
  },
} satisfies Readonly<Record<string, Word<never, number>>>

/** Words of draft-04, where `exclusiveMinimum` is a flag of `minimum`. */
export const limitsWithFlags: Readonly<Record<string, Word<never, number>>> = {
  maximum: limitWithFlag('maximum', 'exclusiveMaximum'),
  minimum: limitWithFlag('minimum', 'exclusiveMinimum'),
  exclusiveMaximum: flagOf('maximum', 'exclusiveMaximum'),
  exclusiveMinimum: flagOf('minimum', 'exclusiveMinimum'),
  multipleOf: wordsForNumbers.multipleOf,
  format: wordsForNumbers.format,
}

function limitWithFlag(word: 'maximum' | 'minimum', flag: string): Word<number, number> {
  return (compiling, wanted) => {
    const isExclusive = Boolean(compiling.schema[flag])
    const sign = `${word === 'maximum' ? '<' : '>'}${isExclusive ? '' : '='}`
    const isMet = (data: number): boolean =>
      (word === 'maximum' ? data < wanted : data > wanted) || (!isExclusive && data === wanted)
    const report = reporter(compiling, word, `must be ${sign} ${wanted}`)
    return (data, place, frame) => isMet(data) || report(data, place, frame)
  }
}

function flagOf(word: string, flag: string): Word<unknown, number> {
  return ({ schema }) => {
    if (schema[word] === undefined) throw new Error(`${flag} can only be used with ${word}`)
    return undefined
  }
}
