/** A fenced block of code in a Markdown page. */
export interface CodeBlock {
  /** The word behind the fence; empty for a diagram. */
  readonly language: string
  /** The second word: the file that the reader writes the block to. */
  readonly file: string | undefined
  /** The nearest heading above, without marks. */
  readonly heading: string
  /** Line of the fence in the page, from 1. */
  readonly line: number
  readonly text: string
}

/** Returns the fenced blocks of a Markdown text, in order. */
export function blocksOf(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = []
  let heading = ''
  let open: (Omit<CodeBlock, 'text'> & { readonly lines: string[] }) | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (open) {
      if (line === '```') {
        const { lines, ...rest } = open
        blocks.push({ ...rest, text: lines.map((each) => `${each}\n`).join('') })
        open = undefined
      } else open.lines.push(line)
      continue
    }
    heading = /^#+ (.+)$/.exec(line)?.[1]?.replaceAll('`', '') ?? heading
    const [, language, file] = /^```(\w*)(?: (\S+))?$/.exec(line) ?? []
    if (language !== undefined) open = { language, file, heading, line: index + 1, lines: [] }
    else if (/^\s*(```|~~~)/.test(line)) throw new Error(`Line ${index + 1} opens a block in another form: ${line}`)
  }
  if (open) throw new Error(`The block at line ${open.line} does not end.`)
  return blocks
}

/** Returns the code of all blocks in one language that name no file, in order. */
export function codeBlocks(text: string, language: string): readonly string[] {
  return blocksOf(text)
    .filter((block) => block.language === language && block.file === undefined)
    .map((block) => block.text)
}
