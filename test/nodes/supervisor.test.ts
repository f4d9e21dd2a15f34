import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { type SupervisedProgram, startSupervised } from '../support/processes/supervised-program.ts'

let program: SupervisedProgram

afterEach(async () => {
  program.command.child.kill('SIGKILL')
  await program.command.ended
  program.remove()
})

function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    // There is none.
    return []
  }
}

function killOne(): void {
  const [pid] = childrenOf(program.command.child.pid)
  if (pid === undefined) throw new Error('there is no process')
  process.kill(pid, 'SIGKILL')
}

const lastLine = (stdout: string): string | undefined => stdout.trim().split('\n').at(-1)

describe('a supervisor of processes', () => {
  it('ends with the reason when the first process cannot start', async () => {
    program = await startSupervised(true)
    expect((await program.command.ended).stdout).toBe('failed: the file is broken\n')
  })

  it('starts a process again that was killed, and ends all when it is stopped', async () => {
    program = await startSupervised()
    killOne()
    await program.command.printed(/the process serves again/)
    program.command.child.kill('SIGTERM')
    const { stdout } = await program.command.ended
    expect(lastLine(stdout)).toBe('ended')
    // What a process wrote last has no end of a line, and is a line.
    expect(stdout.match(/^[12] wrote pid \d+$/gm)).toHaveLength(3)
  })

  it('ends all after too many failed starts in a row, with the reason, which it has logged once', async () => {
    program = await startSupervised()
    program.breakFile()
    killOne()
    const { stdout } = await program.command.ended
    expect(lastLine(stdout)).toMatch(/^failed: process [12] could not start 4 times in a row: the file is broken$/)
    expect(stdout.split('"reason":"the file is broken"')).toHaveLength(2)
    expect(stdout.match(/the process has ended again, and is started again/g)).toHaveLength(2)
  })

  it('reports a process that the system cannot start as one that has ended', async () => {
    program = await startSupervised()
    program.removeNode()
    killOne()
    const { stdout } = await program.command.ended
    expect(lastLine(stdout)).toMatch(/^failed: process [12] could not start 4 times in a row: it ended with .*ENOENT/)
  })
})
