import { GoodToKnow } from './good-to-know.tsx';
import { HowLong } from './how-long.tsx';
import { HowToStop } from './how-to-stop.tsx';
import { Private } from './private.tsx';
import { What } from './what.tsx';
import { WhatChanged } from './what-changed.tsx';
import { WhileAway } from './while-away.tsx';
import { Who } from './who.tsx';
import { Why } from './why.tsx';

/**
 * What is said and asked before a decision, in this order; the decision itself comes last. Each element that
 * 45 CFR 164.508(c) wants in an authorization carries its number as `data-element`; a test looks for all of them.
 */
export const SECTIONS = [Who, WhatChanged, Why, What, Private, WhileAway, HowLong, HowToStop, GoodToKnow];
