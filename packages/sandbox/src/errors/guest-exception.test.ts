import { describe, expect, it } from 'vitest'
import { createModuleSet } from '../code/module-set.ts'
import { type GuestException, toLoadError, toStageError } from './guest-exception.ts'

const thrown = (parts: Partial<GuestException>): GuestException => ({
  code: 'threw',
  isError: true,
  isNullish: false,
  name: 'Error',
  message: '',
  stack: '',
  ...parts,
})

const text = 'function f() {\n  e.items.map(x)\n}'
const sources = createModuleSet({ name: 't', code: text, libraries: [{ name: 'a b', code: text }] })

describe('toStageError', () => {
  it('words the most common errors as V8 does', () => {
    const cases = [
      ['ReferenceError', "'x' is not defined", 'x is not defined'],
      ['TypeError', "cannot read property 'y' of undefined", "Cannot read properties of undefined (reading 'y')"],
      ['TypeError', "cannot set property 'y' of null", "Cannot set properties of null (setting 'y')"],
    ] as const
    for (const [name, message, want] of cases) {
      expect(toStageError(thrown({ name, message }), sources)).toEqual({
        code: 'transform.threw',
        message: `${name}: ${want}`,
      })
    }
  })
  it('does not change a message of the user', () => {
    expect(toStageError(thrown({ message: "'x' is not defined" }), sources).message).toBe("Error: 'x' is not defined")
  })
  it('keeps frames of the user and removes those of the prelude and below', () => {
    const stack = '    at f (t:1:2)\n    at call (<sluice>:10:1)\n'
    expect(toStageError(thrown({ message: 'm', stack }), sources).message).toBe('Error: m\n    at f (t:1:2)')
  })
  it('shows only places in modules of the program, even for a forged stack', () => {
    const stack = [
      '   fake (/home/user/x.js:1:1)',
      '    at /etc/passwd:1:1',
      '    at f (/home/user/x.js:1:1)',
      '    at /etc/passwd (native)',
      '    at <sluice>:3:1',
      '    at eval (<input>:1:1)',
      '    at f (t:9:1)',
      '    at /etc/passwd:1:1 (t:1:2)',
      '    at map (native)',
      `    at ${'('.repeat(7_000)}`,
      '    at f (t:2:99)',
      '    at t:3:1',
    ]
    expect(toStageError(thrown({ message: 'm', stack: stack.join('\n') }), sources).message.split('\n')).toEqual([
      'Error: m',
      '    at <anonymous> (t:1:2)',
      '    at map (native)',
      '    at f (t:2:16)',
      '    at t:3:1',
    ])
  })
  it('is fast for hostile stacks', () => {
    for (const part of ['(', '    at (', '    at a:1', '    at x (native) ', ':1', ' ']) {
      const stack = `    at ${part.repeat(8_000)}`.slice(0, 8_000)
      expect(() => toStageError(thrown({ stack }), sources)).toCostAtMost(200)
    }
  })
  it('distinguishes overflows of stack and memory from errors of users', () => {
    expect(toStageError(thrown({ name: 'InternalError', message: 'stack overflow' }), sources).code).toBe(
      'transform.stack',
    )
    expect(toStageError(thrown({ name: 'SyntaxError', message: 'stack overflow' }), sources).code).toBe(
      'transform.stack',
    )
    expect(toStageError(thrown({ name: 'InternalError', message: 'out of memory' }), sources).code).toBe(
      'transform.memory',
    )
    expect(toStageError(thrown({ message: 'stack overflow' }), sources).code).toBe('transform.threw')
  })
})

describe('toLoadError', () => {
  it('names the place of a syntax error', () => {
    const error = toLoadError(
      thrown({ name: 'SyntaxError', message: 'no', stack: '    at library a b:2:7\n' }),
      sources,
    )
    expect(error).toEqual({ code: 'transform.load', message: 'SyntaxError: no [library a b:2:7]' })
  })
})
