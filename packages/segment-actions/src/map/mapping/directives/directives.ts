import type { Directive } from '../mapping-compiler.ts'
import { arrayPathDirective } from './array-path-directive.ts'
import { caseDirective } from './case-directive.ts'
import { excludeWhenNullDirective } from './exclude-when-null-directive.ts'
import { flattenDirective } from './flatten-directive.ts'
import { ifDirective } from './if-directive.ts'
import { jsonDirective } from './json-directive.ts'
import { liquidDirective } from './liquid-directive.ts'
import { literalDirective } from './literal-directive.ts'
import { mergeDirective } from './merge-directive.ts'
import { pathDirective } from './path-directive.ts'
import { replaceDirective } from './replace-directive.ts'
import { templateDirective } from './template-directive.ts'
import { transformDirective } from './transform-directive.ts'

/** Every directive, by the key that stands for it in a mapping. */
export const directives: ReadonlyMap<string, Directive> = new Map([
  ['@path', pathDirective],
  ['@template', templateDirective],
  ['@if', ifDirective],
  ['@case', caseDirective],
  ['@replace', replaceDirective],
  ['@arrayPath', arrayPathDirective],
  ['@literal', literalDirective],
  ['@flatten', flattenDirective],
  ['@json', jsonDirective],
  ['@merge', mergeDirective],
  ['@transform', transformDirective],
  ['@excludeWhenNull', excludeWhenNullDirective],
  ['@liquid', liquidDirective],
])
