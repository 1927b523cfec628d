// The journey of a person from the domain's shape to the wire's.
import type { AttributionWire, TouchWire } from '../../../contracts/analytics/person.ts';
import type { Attribution, Credit, CreditedConversion } from '../../../domain/analytics/people/read-attribution.ts';
import type { PersonTouch } from '../../../domain/model/analytics/touch.ts';

export function attributionToWire(found: Attribution): AttributionWire {
  return {
    user_id: found.userId,
    anonymous_ids: [...found.visitors],
    touches: found.touches.map(touchToWire),
    first_touch: found.firstTouch && touchToWire(found.firstTouch),
    last_touch: found.lastTouch && touchToWire(found.lastTouch),
    conversions: found.conversions.map(conversionToWire),
    partial: found.isPartial,
  };
}

function touchToWire({ eventId, ...touch }: PersonTouch): TouchWire {
  return { event_id: eventId, ...touch };
}

function conversionToWire(credited: CreditedConversion): AttributionWire['conversions'][number] {
  const { conversion, firstTouch, lastTouch, lastNonDirect, credits } = credited;
  return {
    event_id: conversion.eventId,
    event: conversion.event,
    at: conversion.at,
    value: conversion.value === null ? null : Number(conversion.value),
    currency: conversion.currency,
    first_touch: firstTouch && touchToWire(firstTouch),
    last_touch: lastTouch && touchToWire(lastTouch),
    last_non_direct: lastNonDirect && touchToWire(lastNonDirect),
    credits: {
      linear: credits.linear.map(creditToWire),
      position: credits.position.map(creditToWire),
      time_decay: credits.time_decay.map(creditToWire),
    },
  };
}

function creditToWire({ touch, credit, value }: Credit) {
  return { event_id: touch.eventId, channel: touch.channel, credit, value };
}
