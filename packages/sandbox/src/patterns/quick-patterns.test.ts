import { describe, expect, it } from 'vitest'
import { quickPatterns } from './quick-patterns.ts'

const mail = 'const mail = /[\\w.]+@[\\w.]+/g\n'

describe('quick patterns', () => {
  it('have a start of any length, and a character that every match contains, the rarest in texts', async () => {
    const code = `${mail}const others = [/\\d{3}-\\d{4}/g, /a+b/, /^@+/y, /\\w+ \\w+[.]#/gi, /https?:\\/\\/\\S+/]`
    expect(await quickPatterns([code])).toEqual([
      { source: '[\\w.]+@[\\w.]+', flags: 'g', minLength: 3, literal: '@' },
      { source: '\\w+ \\w+[.]#', flags: 'gi', minLength: 5, literal: '#' },
    ])
  })
  it('are found in all modules', async () => {
    expect(await quickPatterns(['import a from "a"', mail, mail])).toHaveLength(2)
  })
  it('are none when the code could see or change how patterns work', async () => {
    const tampering = [
      'RegExp.prototype.exec = f',
      'mail.__proto__.test = f',
      'Object.getPrototypeOf(mail).test = f',
      'mail.constructor.prototype',
      'Object.setPrototypeOf(mail, {})',
      "Object.defineProperty(mail, 'flags', { get })",
      'Object.defineProperties(mail, {})',
      "mail.__defineGetter__('flags', get)",
      "Reflect.set({}, 'flags', 1, mail)",
      'mail[Symbol.replace]',
      '({ m() { super.flags = 1 } }).m.call(mail)',
      'class A extends B { flags = 1 }',
      "mail.compile('a')",
      'eval(text)',
      'new Function(text)',
      'mail.test === other.test',
      "mail['\\x63onstructor']",
      'mail.\\u0063onstructor',
      'mail.\\u{63}onstructor',
    ]
    for (const code of tampering) expect(await quickPatterns([mail, code]), code).toEqual([])
  })
  it('exist beside ordinary words of that kind', async () => {
    const code = 'const evaluate = functional + currencySymbol + "\\u00e9"; compiled(superb); mail.test (text)'
    expect(await quickPatterns([mail, code])).toHaveLength(1)
  })
  it('are limited in number', async () => {
    expect(await quickPatterns(Array.from({ length: 50 }, (_, i) => `const a = /a${i}*@/`))).toHaveLength(0)
    expect(await quickPatterns(Array.from({ length: 50 }, (_, i) => `const a = /[${i}]+@/`))).toHaveLength(32)
  })
})
