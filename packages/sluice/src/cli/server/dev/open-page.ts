import { spawn } from 'node:child_process'

/** Opens an address in the browser of the user. Where there is none, nothing happens. */
export function openPage(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address]
  const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
