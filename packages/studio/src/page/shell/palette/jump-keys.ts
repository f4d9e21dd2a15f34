const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The keys that open the palette, as they are written on this keyboard. */
export const jumpKeys: readonly string[] = isApple ? ['⌘', 'K'] : ['Ctrl', 'K']

/** Returns whether keys open the palette. */
export function isJump(event: KeyboardEvent): boolean {
  return event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
}
