import { type Exception, exceptions } from './exceptions.ts'
import type { PageBlock } from './page-blocks.ts'

/**
 * How a block is checked.
 * - `program`: compiled and run (programs.test.ts)
 * - `user code`: loaded and run in the sandbox (programs.test.ts)
 * - `commands`: typed into a shell, beside one running server (commands.test.ts)
 * - `file`: written to the folder of its page, whose commands or programs use it
 * - `data`: read, and compared with the schema it belongs to (data.test.ts)
 * - `picture`: shows output or a diagram, nothing to type
 * - `elsewhere`: another test runs it
 * - `usage`: cannot run here, so its commands, flags, scripts and routes are looked up (commands.test.ts)
 */
export type Way = 'program' | 'user code' | 'commands' | 'file' | 'data' | 'picture' | 'elsewhere' | 'usage'

const ways: Readonly<Record<string, Way>> = {
  ts: 'program',
  js: 'program',
  sh: 'commands',
  bash: 'commands',
  console: 'commands',
  json: 'data',
  yaml: 'data',
  sql: 'data',
  text: 'picture',
  '': 'picture',
}

/** Returns how a block is checked. @throws Error for a language that nothing checks. */
export function wayOf(block: PageBlock): Way {
  const exception = exceptionOf(block)
  if (exception) return exception.test === undefined ? 'usage' : 'elsewhere'
  if (block.file !== undefined) return block.file === 'main.ts' ? 'program' : 'file'
  if (/^export (?:async )?(?:function|const) transform(?:Event|Batch)\b/m.test(block.text)) return 'user code'
  const way = ways[block.language]
  if (way === undefined)
    throw new Error(
      `${block.page}:${block.line} is in ${block.language}, which nothing checks. Choose one of ${Object.keys(ways).join(', ')}, or add a check.`,
    )
  return way
}

/** Returns the entry of the list of exceptions that covers a block. */
export function exceptionOf(block: PageBlock): Exception | undefined {
  return exceptions.find(
    ({ page, heading, languages }) =>
      page === block.page && (heading === undefined || heading === block.heading) && languages.includes(block.language),
  )
}
