import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'

/** Colours of code, of the theme of the page: the editor's own are for a light ground only. */
export const codeColours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-word)' },
    { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-text)' },
    { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
    { tag: [tags.typeName, tags.className, tags.namespace], color: 'var(--code-name)' },
    { tag: tags.comment, color: 'var(--code-quiet)' },
    { tag: tags.invalid, color: 'var(--bad-ink)' },
  ]),
)
