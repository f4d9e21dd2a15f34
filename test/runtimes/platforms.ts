import { spawnSync } from 'node:child_process'

/** Other platforms that run a program as a command. */
export const platforms = [
  { name: 'deno', args: ['run', '--allow-all', '--node-modules-dir=manual'] },
  { name: 'bun', args: [] },
]

export function isAbsent(command: string): boolean {
  return spawnSync(command, ['--version']).status !== 0
}
