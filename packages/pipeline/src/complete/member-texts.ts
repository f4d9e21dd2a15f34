const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Blanks, tabs and ends of lines; JSON has nothing else below it outside of texts. */
const lastBlank = 0x20

/**
 * Returns the texts of the members of an object in its JSON text. @param text JSON of an object.
 * @returns undefined where two members have the same name, or where a name is escaped.
 */
export function memberTexts(text: string): Readonly<Record<string, string>> | undefined {
  const members = new Map<string, string>()
  for (let at = next(text, next(text, 0) + 1); text.charCodeAt(at) === quote; ) {
    const nameEnd = endOfText(text, at)
    const name = text.slice(at + 1, nameEnd - 1)
    if (name.includes('\\') || members.has(name)) return undefined
    const start = next(text, text.indexOf(':', nameEnd) + 1)
    const end = endOfValue(text, start)
    members.set(name, text.slice(start, end))
    at = next(text, end)
    if (text.charCodeAt(at) === comma) at = next(text, at + 1)
  }
  return Object.fromEntries(members)
}

/** Returns the texts of the elements of a list in its JSON text. @param text JSON of a list. */
export function elementTexts(text: string): readonly string[] {
  const elements: string[] = []
  for (let at = next(text, next(text, 0) + 1); at < text.length && text.charCodeAt(at) !== closeList; ) {
    const end = endOfValue(text, at)
    elements.push(text.slice(at, end))
    at = next(text, end)
    if (text.charCodeAt(at) === comma) at = next(text, at + 1)
  }
  return elements
}

/** Returns where the next character is that is no blank. */
function next(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= lastBlank) at += 1
  return at
}

/** Returns the index behind a value. @param start of its first character. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfText(text, at) - 1
      if (depth === 0) return at + 1
    } else if (code === openObject || code === openList) depth += 1
    else if (code === closeObject || code === closeList) {
      depth -= 1
      if (depth <= 0) return depth < 0 ? at : at + 1
    } else if (depth === 0 && (code === comma || code <= lastBlank)) return at
  }
  return text.length
}

/** Returns the index behind the closing mark of a text. @param start of its opening mark. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}
