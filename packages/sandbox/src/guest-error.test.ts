import { describe, expect, it } from 'vitest'
import { type GuestException, type Sources, toLoadError, toStageError } from './guest-error.ts'

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
const sources: Sources = { source: (name) => (name === 't' ? text : undefined) }

describe('toStageError', () => {
  it('uses the words of V8 for the commonest texts', () => {
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
  it('leaves a text of the user as it is', () => {
    expect(toStageError(thrown({ message: "'x' is not defined" }), sources).message).toBe("Error: 'x' is not defined")
  })
  it('keeps frames of the user and leaves out those of the prelude and beyond', () => {
    const stack = '    at f (t:1:2)\n    at call (<sluice>:10:1)\n'
    expect(toStageError(thrown({ message: 'm', stack }), sources).message).toBe('Error: m\n    at f (t:1:2)')
  })
  it('tells overflows of stack and memory from what users throw', () => {
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
      thrown({ name: 'SyntaxError', message: 'no', stack: '    at library a b:3:7\n' }),
      sources,
    )
    expect(error).toEqual({ code: 'transform.load', message: 'SyntaxError: no [library a b:3:7]' })
  })
})
