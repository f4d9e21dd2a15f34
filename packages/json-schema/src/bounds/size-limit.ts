import { reporter, type Word } from '../compiling.ts'
import { spend } from './steps.ts'

/** Characters, items or keys that are counted as fast as a step is taken. */
const sizePerStep = 32

/** Returns a word such as `maxItems`. */
export function sizeLimit<Data>(word: string, noun: string, sizeOf: (data: Data) => number): Word<number, Data> {
  const isMost = word.startsWith('max')
  return (compiling, wanted) => {
    const report = reporter(compiling, word, `must NOT have ${isMost ? 'more' : 'fewer'} than ${wanted} ${noun}`)
    return (data, place, frame) => {
      const size = sizeOf(data)
      spend(frame, size / sizePerStep)
      if (isMost ? size > wanted : size < wanted) report(data, place, frame)
    }
  }
}
