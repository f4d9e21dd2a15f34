import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** An older release, built in a folder of its own. */
export interface OlderRelease {
  /** Its `sluice` command. */
  readonly bin: string
  readonly commit: string
}

/**
 * Builds an older release once, in `.sluice/releases` of the checkout, which git ignores.
 * @param ref commit, tag or branch. @throws Error when git does not know it, or when it cannot be installed or built.
 */
export function buildOlderRelease(ref: string): OlderRelease {
  const run = (cwd: string, command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  const commit = run(root, 'git', 'rev-parse', '--verify', `${ref}^{commit}`)
  const folder = join(root, '.sluice/releases', commit)
  const bin = join(folder, 'packages/sluice/bin/sluice.js')
  if (!existsSync(bin)) run(root, 'git', 'worktree', 'add', '--detach', folder, commit)
  if (!existsSync(join(folder, 'packages/sluice/dist/bundle'))) {
    process.stdout.write(`building ${ref}, which takes a minute or two\n`)
    run(folder, 'npm', 'run', '--silent', 'setup')
    run(folder, 'npm', 'run', '--silent', 'build')
  }
  return { bin, commit }
}
