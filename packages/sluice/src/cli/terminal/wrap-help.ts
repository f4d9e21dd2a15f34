import type { Command } from 'commander'
import { wrapLine } from './wrap.ts'

/** Width of help that is not shown on a terminal, as commander has it. */
const defaultWidth = 80

/** Makes a command and its subcommands wrap all of their help at the width of the terminal. */
export function wrapHelpOf(command: Command): void {
  command.configureOutput({
    writeOut: (text) => void process.stdout.write(wrapHelp(text, process.stdout.columns ?? defaultWidth)),
  })
  for (const subcommand of command.commands) wrapHelpOf(subcommand)
}

/**
 * Wraps help: paragraphs are filled, indented lines continue with four more spaces. Examples can be copied: a
 * comment that does not fit goes above its example, and long commands continue on another line.
 */
export function wrapHelp(text: string, width: number): string {
  const lines: string[] = []
  let paragraph = ''
  let isExample = false
  const endParagraph = (): void => {
    if (paragraph !== '') lines.push(wrapLine(paragraph, width, 0))
    paragraph = ''
  }
  for (const line of text.split('\n')) {
    const isText = /^\S/.test(line)
    if (isText && !line.endsWith(':')) {
      paragraph += `${paragraph === '' ? '' : ' '}${line}`
      continue
    }
    if (isText && paragraph !== '') {
      paragraph += ` ${line}`
      endParagraph()
      continue
    }
    endParagraph()
    if (isText || line === '') isExample = line === 'Examples:' || (isExample && line !== '')
    if (line.length <= width || isText) lines.push(isText ? wrapLine(line, width, 0) : line)
    else lines.push(isExample ? wrappedExample(line, width) : wrapLine(line, width, line.search(/\S/) + 4))
  }
  endParagraph()
  return lines.join('\n')
}

function wrappedExample(line: string, width: number): string {
  const at = line.indexOf('  # ')
  const [command, comment] = at === -1 ? [line] : [line.slice(0, at).trimEnd(), line.slice(at).trimStart()]
  const lines = comment === undefined ? [] : [`  ${comment}`]
  let shown = ''
  for (const part of command.split(/(?= --[a-z]| \| | && )/)) {
    if (shown !== '' && shown.length + part.length + lineEnd.length > width) {
      lines.push(shown + lineEnd)
      shown = `   ${part}`
    } else shown += part
  }
  return [...lines, shown].join('\n')
}

/** Continues a command on the next line. */
const lineEnd = ' \\'
