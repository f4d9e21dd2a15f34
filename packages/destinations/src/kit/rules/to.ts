import { InvariantError, type JsonObject, type JsonValue } from '@sluice/core'
import { type KeyPath, type KeyPathText, toKeyPath } from './key-path.ts'
import type { Condition, Converter, EachRule, PathSource, RestRule, Rule, SetRule, ValueSource } from './rule.ts'

/** A key path, or an ordered list of them (a generic field, mostly). */
type Sources = readonly (string | readonly string[])[]

/** A rule that can still be refined. Each method answers a new rule. */
export interface SetRuleBuilder extends SetRule {
  /** Converts, in this order, what was found. */
  as(...converters: readonly Converter[]): SetRuleBuilder
  /** What to set, as it is, where nothing or null was found. */
  or(fallback: JsonValue): SetRuleBuilder
  /** Fails the event when there is nothing to set. */
  required(): SetRuleBuilder
  when(condition: Condition): SetRuleBuilder
}

export interface RestRuleBuilder extends RestRule {
  /** Leaves members out, by name. */
  without(...keys: readonly string[]): RestRuleBuilder
  /** Leaves out the members that other rules of the same mapping read: what is left are the custom fields. */
  unmapped(): RestRuleBuilder
  /** Lays nested members out as one level: see `flatten`. */
  flat(): RestRuleBuilder
  when(condition: Condition): RestRuleBuilder
}

/**
 * Begins a rule: `to('email').from(generic.email).as(trim, lower).required()`.
 *
 * @param path where the value goes; left out, an object goes into the mapped object itself (`to().rest('traits')`).
 */
export function to(path: KeyPathText = []) {
  const target = toKeyPath(path)
  const set = (value: ValueSource) => {
    if (target.length === 0) throw new InvariantError('Only rest() can go without a path to set.')
    return settable({ kind: 'set', to: target, value, converters: [], isRequired: false })
  }
  return {
    /** A value of the mapped object: one path, or the first of several that is neither '' nor null. */
    from: (...sources: Sources) => set(pathsOf('source', sources)),
    /** A value of the settings. */
    setting: (...sources: Sources) => set(pathsOf('settings', sources)),
    value: (value: JsonValue) => set({ of: 'constant', value }),
    /** What cannot be said as data. Pure, and named after what it finds. */
    compute: (compute: (source: JsonObject, settings: JsonObject) => JsonValue | undefined) =>
      set({ of: 'computed', compute }),
    /** The members of an object. */
    rest: (...sources: Sources) =>
      restRule({
        kind: 'rest',
        to: target,
        value: pathsOf('source', sources),
        omitted: new Set(),
        isUnmapped: false,
        isFlat: false,
      }),
    /** Each object of a list, mapped by `rules`, whose paths start at the object. */
    each: (source: string | readonly string[], rules: readonly Rule[]): EachRule => ({
      kind: 'each',
      to: target,
      value: pathsOf('source', [source]),
      rules,
    }),
  }
}

function pathsOf(of: PathSource['of'], sources: Sources): PathSource {
  const paths: readonly KeyPath[] = sources.flat().map(toKeyPath)
  if (paths.length === 0) throw new InvariantError('A rule needs a path to read from.')
  return { of, paths, skipsBlank: sources.length > 1 || typeof sources[0] !== 'string' }
}

function settable(rule: SetRule): SetRuleBuilder {
  return {
    ...rule,
    as: (...converters) => settable({ ...rule, converters: [...rule.converters, ...converters] }),
    or: (fallback) => settable({ ...rule, fallback }),
    required: () => settable({ ...rule, isRequired: true }),
    when: (condition) => settable({ ...rule, condition }),
  }
}

function restRule(rule: RestRule): RestRuleBuilder {
  return {
    ...rule,
    without: (...keys) => restRule({ ...rule, omitted: new Set([...rule.omitted, ...keys]) }),
    unmapped: () => restRule({ ...rule, isUnmapped: true }),
    flat: () => restRule({ ...rule, isFlat: true }),
    when: (condition) => restRule({ ...rule, condition }),
  }
}
