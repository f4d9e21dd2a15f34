import { nearestName } from '@sluice/core/nearest-name'
import { printable } from '@sluice/core/printable'
import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { printLine } from '../terminal/print-line.ts'
import { outputWidth, wrapLine } from '../terminal/wrap.ts'

/** Widest lines of an explanation, which is prose. */
const lineCharsMax = 100

/** `sluice explain`: prints the page of an error code, without a server. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('say what happened, why and what to do, for an error code')
    .argument('[code]', 'code of an answer, a dead letter or an outcome; without it, all codes are listed')
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Codes of ingestion begin with ingest. and are in the header Link of its answers.

Examples:
  sluice explain transform.timeout
  sluice explain ingest.writeKeyUnknown`,
    )
    .action(explain)
}

async function explain(code: string | undefined, flags: { readonly json?: true }): Promise<void> {
  // Loaded when needed, so that the other commands start faster.
  const texts = new Map(Object.entries((await import('@sluice/http/error-texts')).errorTexts))
  if (code === undefined) {
    const codes = [...texts.keys()]
    return printLine(flags.json ? JSON.stringify(codes) : codes.join('\n'))
  }
  const text = texts.get(code)
  if (text === undefined) {
    const nearest = nearestName(code, [...texts.keys()])
    const hint = nearest === undefined ? 'sluice explain lists all' : `did you mean ${nearest}?`
    throw new CliError(`there is no error code ${printable(code)}; ${hint}`)
  }
  if (flags.json) return printLine(JSON.stringify({ code, ...text }))
  const { whatHappened, why, whatToDo, example } = text
  const parts = Object.entries({ 'What happened': whatHappened, Why: why, 'What to do': whatToDo, Example: example })
  const width = Math.min(outputWidth(), lineCharsMax)
  printLine(
    [
      code,
      ...parts.map(([title, paragraph]) => `${title}:\n${wrapLine(`  ${withoutLinks(paragraph)}`, width, 2)}`),
      `A server shows this page at /docs/errors/${code}`,
    ].join('\n\n'),
  )
}

/** Returns a paragraph whose links are their texts, with the file behind them. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]+)\]\(([^()]+)\)/g, (_, text: string, link: string) => {
    return `${text} (${new URL(link, 'file:///packages/docs/errors/').pathname.slice(1)})`
  })
}
