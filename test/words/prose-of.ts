import ts from 'typescript'

/**
 * Returns a file's text with everything but its prose replaced by spaces, so that offsets and line numbers stay the same.
 * Prose is comments, string literals and texts of JSX in code, and everything but code spans in Markdown.
 */
export function proseOf(fileName: string, text: string): string {
  return fileName.endsWith('.md') ? proseOfMarkdown(text) : proseOfCode(fileName, text)
}

function proseOfMarkdown(text: string): string {
  return text.replace(/`[^`\n]*`/gu, blank)
}

function proseOfCode(fileName: string, text: string): string {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true)
  const kept = new Map<number, number>() // start to end
  const keep = ({ pos, end }: ts.TextRange): unknown => kept.set(pos, end)
  const visit = (node: ts.Node): void => {
    if (isText(node) && !isFileName(node)) keep({ pos: node.getStart(), end: node.end })
    ts.getLeadingCommentRanges(text, node.pos)?.forEach(keep)
    ts.getTrailingCommentRanges(text, node.end)?.forEach(keep)
    for (const child of node.getChildren()) visit(child)
  }
  visit(file)
  let prose = ''
  for (const [start, end] of [...kept].sort(([a], [b]) => a - b)) {
    if (start < prose.length) continue // a comment found twice
    prose += blank(text.slice(prose.length, start)) + withoutMarks(text.slice(start, end))
  }
  return prose + blank(text.slice(prose.length))
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  )
}

function isFileName(node: ts.Node): boolean {
  return ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)
}

/** Blanks the marks at the start of a comment's lines, so that a phrase may run over a line break. */
function withoutMarks(text: string): string {
  return text.replace(/^[ \t]*(?:\/\*\*?|\/\/|\*)/gmu, blank)
}

function blank(text: string): string {
  return text.replace(/[^\n]/gu, ' ')
}
