import type { Exception } from './exceptions.ts'
import { proseOf } from './prose-of.ts'
import { refusedWords } from './refused-words.ts'

/** A refused word in a file. */
export interface FoundWord {
  readonly line: number
  /** As it is written in the file. */
  readonly text: string
  readonly instead: string
}

export interface WordsInFile {
  readonly refused: readonly FoundWord[]
  /** The exceptions that allowed a word. */
  readonly used: readonly Exception[]
}

/** Finds the refused words of a file, except those inside an allowed phrase. */
export function wordsIn(fileName: string, text: string, exceptions: readonly Exception[] = []): WordsInFile {
  const prose = proseOf(fileName, text)
  const allowed = exceptions.filter(({ file }) => file === fileName).flatMap((each) => placesOf(prose, each))
  const used = new Set<Exception>()
  const refused = refusedWords.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(pattern)].flatMap((match): readonly FoundWord[] => {
      const end = match.index + match[0].length
      const place = allowed.find((each) => each.start <= match.index && end <= each.end)
      if (place) used.add(place.exception)
      const line = prose.slice(0, match.index).split('\n').length
      return place ? [] : [{ line, text: match[0].replaceAll(/\s+/gu, ' '), instead }]
    }),
  )
  return { refused: refused.sort((a, b) => a.line - b.line), used: [...used] }
}

interface Place {
  readonly start: number
  readonly end: number
  readonly exception: Exception
}

function placesOf(prose: string, exception: Exception): readonly Place[] {
  const words = exception.phrase.split(/\s+/u).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'))
  const matches = prose.matchAll(new RegExp(words.join('\\s+'), 'gu'))
  return [...matches].map(({ index, 0: { length } }) => ({ start: index, end: index + length, exception }))
}
