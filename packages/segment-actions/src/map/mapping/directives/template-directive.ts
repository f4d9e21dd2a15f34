import { compileTemplate } from '../compile-template.ts'
import type { Directive } from '../mapping-compiler.ts'
import { compileText } from './directive-options.ts'

/** `@template`: a text with placeholders such as `{{properties.total}}`. */
export const templateDirective: Directive = (value, place, compiler) => {
  if (typeof value === 'string') return compileTemplate(value)
  const resolve = compileText(value, place, compiler)
  return (data) => {
    const template = resolve(data)
    if (typeof template !== 'string') return compiler.fail(`The template of ${place.path} must be a text.`)
    return compileTemplate(template)(data)
  }
}
