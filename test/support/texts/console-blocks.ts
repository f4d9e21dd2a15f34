/** One command of a console block, and the output that the block shows. */
export interface ConsoleCommand {
  readonly command: string
  readonly output: readonly string[]
}

/** Returns the `$ command` lines of a block, each with the output below it. */
export function consoleCommands(block: string): readonly ConsoleCommand[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n')
      return { command, output }
    })
}

/** Masks what differs from run to run: times and throughput. */
export function masked(line: string): string {
  return line.replaceAll(/\d[\d.,]* ?(ms|µs|s|events\/s)\b/g, '# $1').trimEnd()
}

/**
 * Returns a pattern of output in which a line `…` matches any number of lines, also none, and `…` inside a line any text.
 * Times match any time.
 */
export function outputPattern(output: readonly string[]): RegExp {
  const lineOf = (line: string): string => `${masked(line).split('…').map(escaped).join('.*')}\\n`
  const lines = output.map((line) => (line === '…' ? '(?:.*\\n)*?' : lineOf(line)))
  return new RegExp(`^${lines.join('')}$`)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
