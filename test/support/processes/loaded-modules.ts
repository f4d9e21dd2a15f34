import { execFile } from 'node:child_process'

/** Prints the addresses of all modules on standard error when the process ends. */
const listing = `
import { Session } from 'node:inspector'
const loaded = []
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params: { url } }) => loaded.push(url))
session.post('Debugger.enable')
process.on('exit', () => process.stderr.write(loaded.filter((url) => url.startsWith('file:')).join('\\n')))
`

/**
 * Runs a program of Node and returns the addresses of the modules its main thread loaded, without those of Node.
 * @param args as given to `node`.
 */
export function loadedModules(args: readonly string[], cwd: string): Promise<readonly string[]> {
  const preload = `data:text/javascript,${encodeURIComponent(listing)}`
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', preload, ...args], { cwd }, (error, _, stderr) =>
      error ? reject(error) : resolve(stderr.split('\n')),
    )
  })
}
