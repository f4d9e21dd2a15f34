import { printableLines } from '@sluice/core/printable'
import { createTwoFilesPatch } from 'diff'
import pc from 'picocolors'

/** Lines around a change. */
const context = 3
/** Time limit for comparing very different texts, after which all lines count as changed. */
const timeMs = 2_000

/** Returns whether two texts are equal apart from line ends, which depend on the machine and mean nothing in code. */
export function sameText(a: string, b: string): boolean {
  return withLineFeeds(a) === withLineFeeds(b)
}

/** Returns a unified diff of two texts without its header, coloured on terminals; '' when they are equal. */
export function codeDiff(was: string, is: string): string {
  const [before, after] = [withLineFeeds(was), withLineFeeds(is)]
  if (before === after) return ''
  const patch =
    createTwoFilesPatch('', '', before, after, '', '', { context, timeout: timeMs }) ?? wholeReplaced(before, after)
  const lines = patch.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@'))
  return printableLines(lines.slice(start).join('\n').trimEnd()).split('\n').map(coloured).join('\n')
}

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')

function wholeReplaced(before: string, after: string): string {
  const marked = (text: string, sign: string): string[] => text.split('\n').map((line) => `${sign}${line}`)
  return ['@@ all lines @@', ...marked(before, '-'), ...marked(after, '+')].join('\n')
}

function coloured(line: string): string {
  if (line.startsWith('+')) return pc.green(line)
  if (line.startsWith('-')) return pc.red(line)
  return line.startsWith('@@') ? pc.cyan(line) : line
}
