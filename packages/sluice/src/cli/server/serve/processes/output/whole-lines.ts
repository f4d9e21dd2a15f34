import { StringDecoder } from 'node:string_decoder'

/** Characters of a line that are kept until it ends. A longer one is passed in parts, each as a line. */
const lineCharsMax = 1_048_576

/** The lines in the chunks of a stream. */
interface WholeLines {
  add(chunk: Uint8Array): void
  /** Passes what has no end of a line: the process that wrote it has ended. */
  end(): void
}

/** Puts the chunks of a stream together, and passes each line once it is whole, without its end. */
export function createWholeLines(onLine: (line: string) => void, charsMax = lineCharsMax): WholeLines {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const take = (text: string): void => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
    for (; rest.length > charsMax; rest = rest.slice(charsMax)) onLine(rest.slice(0, charsMax))
  }
  return {
    add: (chunk) => take(decoder.write(Buffer.from(chunk))),
    end: () => {
      take(decoder.end())
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}
