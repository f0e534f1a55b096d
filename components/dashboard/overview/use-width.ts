'use client';
import { type RefObject, useEffect, useRef, useState } from 'react';

/** The width of an element; until it is measured, the width of the server's rendering. */
export function useWidth<Kind extends HTMLElement>(first: number): [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (!element.current) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(200, Math.round(entry.contentRect.width)));
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, width];
}
