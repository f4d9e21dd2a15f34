import { reporter, type Word } from './compiling.ts'
import { noDemand } from './words-for-any.ts'

function limit(word: string, sign: string, isMet: (data: number, limit: number) => boolean): Word<number, number> {
  return (compiling, wanted) => {
    const report = reporter(compiling, word, `must be ${sign} ${wanted}`)
    return (data, place, frame) => isMet(data, wanted) || report(data, place, frame)
  }
}

/** Words about numbers, in the order in which their problems are reported. */
export const wordsForNumbers: Readonly<Record<string, Word<never, number>>> = {
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
  format: noDemand,
}
