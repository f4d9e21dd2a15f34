import { parseKeys } from '../path/key-path.ts'
import { createPathReader, type PathReader } from '../path/path-reader.ts'
import type { Resolve } from './mapping-compiler.ts'

/**
 * Compiles a text with placeholders, each a path in two or three braces. Values that are missing result in no text, and
 * objects in `[object Object]`.
 *
 * As in Segment, three braces come first, so a value that they insert may bring further placeholders.
 */
export function compileTemplate(template: string): Resolve {
  const outer = splitTemplate(template, 3)
  if (outer.every((part) => typeof part === 'string')) return renderer(splitTemplate(template, 2))
  const renderOuter = renderer(outer)
  return (data) => renderer(splitTemplate(renderOuter(data), 2))(data)
}

type Part = string | PathReader

/**
 * Splits a template into texts and placeholders with so many braces. Takes time proportional to its length: texts of
 * events may be templates too.
 */
function splitTemplate(template: string, braces: number): readonly Part[] {
  const [open, close] = ['{'.repeat(braces), '}'.repeat(braces)]
  const parts: Part[] = []
  let done = 0
  for (let end = template.indexOf('}'), from = 0; end !== -1; end = template.indexOf('}', from)) {
    const start = template.indexOf(open, from)
    if (start === -1) break
    if (start + braces < end && template.startsWith(close, end)) {
      parts.push(template.slice(done, start), createPathReader(parseKeys(template.slice(start + braces, end).trim())))
      done = end + braces
      from = done
    } else from = end + 1
  }
  parts.push(template.slice(done))
  return parts
}

function renderer(parts: readonly Part[]): (data: unknown) => string {
  // Without data, a placeholder for the whole of it stands for an object.
  return (data = {}) => {
    let text = ''
    for (const part of parts) text += typeof part === 'string' ? part : textOf(part(data))
    return text
  }
}

/** Returns the text that JavaScript makes of a value, without calling a `toString` that the event may have. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value)
  return Array.isArray(value) ? value.map(textOf).join(',') : '[object Object]'
}
