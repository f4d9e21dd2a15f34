/** Returns the commands of a block: a line that ends in a backslash continues, and lines of comments are left out. */
export function linesOf(text: string): readonly string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

/** Splits a line into its command and the comment at its end. */
export function withoutComment(line: string): { readonly command: string; readonly comment: string } {
  const [command = line, comment = ''] = line.split(/\s+# /, 2)
  return { command: command.trimEnd(), comment: comment.trim() }
}

/** Returns the words of each command of a line, with quotes removed. Commands are separated by `;`, `|` and `&&`. */
export function wordsOf(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  for (const [word] of withoutComment(line).command.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\;|&])+|[;|&]+/g)) {
    if (/^[;|&]+$/.test(word)) commands.push([])
    else commands.at(-1)?.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
  }
  // Where the output goes is none of the words.
  return commands
    .filter((words) => words.length > 0)
    .map((words) => words.filter((word, index) => !/^\d?>/.test(word) && words[index - 1] !== '>'))
}

/** Whether a command is plain words, which need no shell. */
export function isPlain(command: string): boolean {
  return !/[;|&<>$`*\\]/.test(command.replaceAll(/'[^']*'/g, ''))
}
