/** Where a pattern may begin: not after a value, where a slash divides, nor where a comment begins. Or its constructor. */
const beginsPattern =
  /(?:^|[^)\]\w$'"`\s/*])\s*\/[^/*]|\b(?:return|typeof|case|in|of|yield|await|else|do|void|delete|throw|new)\s*\/[^/*]|RegExp|\bconstructor\b/

/** Returns whether code may make patterns. May be true for code that does not; it then runs a little slower. */
export function mayHavePatterns(texts: readonly string[]): boolean {
  return texts.some((text) => beginsPattern.test(text))
}
