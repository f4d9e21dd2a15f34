const controlC = '\x03'

/**
 * Calls a function for a key that is pressed at the terminal. Ctrl-C does what it does elsewhere.
 * @returns a function that ends it, and gives the terminal back as it was.
 */
export function watchKeys(keys: Readonly<Record<string, () => void>>): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  const onKey = (key: Buffer): void => {
    const text = key.toString()
    if (text === controlC) process.kill(process.pid, 'SIGINT')
    else keys[text]?.()
  }
  stdin.setRawMode(true).resume().on('data', onKey)
  return () => {
    stdin.off('data', onKey).setRawMode(false).pause()
  }
}
