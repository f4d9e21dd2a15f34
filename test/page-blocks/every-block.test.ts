import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exceptions } from './exceptions.ts'
import { allBlocks, nameOf, root } from './page-blocks.ts'
import { exceptionOf, wayOf } from './way-of.ts'

const blocks = allBlocks()

describe('every block of code in the documentation', () => {
  it('is checked in some way', () => {
    const ways = blocks.map(wayOf)
    expect(ways.length).toBeGreaterThan(100)
    for (const way of ['program', 'user code', 'commands', 'file', 'data', 'picture', 'elsewhere', 'usage'] as const)
      expect(ways).toContain(way)
  })

  it('is named by a command, a program or a file of its page when it is a file', () => {
    const unused = blocks.filter(
      (block) =>
        wayOf(block) === 'file' &&
        // Tests are found by their ending.
        block.file?.endsWith('.test.ts') !== true &&
        !blocks.some(
          (other) =>
            other.page === block.page &&
            other !== block &&
            other.text.includes(basename(block.file ?? '').replace(/\.\w+$/, '')),
        ),
    )
    expect(unused.map(nameOf)).toEqual([])
  })

  it('shows nothing to type when it is a picture of output', () => {
    const typed = blocks.filter(
      (block) => wayOf(block) === 'picture' && /^(?:\$ |(?:sluice|curl|npm|pnpm|npx|node|docker) )/m.test(block.text),
    )
    expect(typed.map(nameOf)).toEqual([])
  })
})

describe('the list of blocks that do not run here', () => {
  it('has a reason for each, and names as many blocks as there are', () => {
    for (const exception of exceptions) {
      expect(exception.reason).not.toBe('')
      const covered = blocks.filter((block) => exceptionOf(block) === exception)
      expect([exception, covered.length]).toEqual([exception, exception.count])
    }
  })

  it('names tests that exist and read the page', () => {
    for (const { page, test } of exceptions) {
      if (test === undefined) continue
      expect(existsSync(join(root, test)), test).toBe(true)
      expect(readFileSync(join(root, test), 'utf8'), test).toContain(basename(page))
    }
  })
})
