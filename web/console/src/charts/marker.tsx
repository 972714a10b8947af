import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { useProjectId } from '../kit/use-search.ts';
import type { Point } from './chart-types.ts';

interface MarkerProps {
  point: Point;
  /** What the point says in words. */
  text: string;
  x: number;
  width: number;
  height: number;
  onShow: (text: string | null) => void;
  children?: ReactNode;
}

/** One point of a chart: what is pointed at or focused says its numbers, and leads to the list behind it. */
export function Marker({ point, text, x, width, height, onShow, children }: MarkerProps) {
  const navigate = useNavigate();
  const project = useProjectId();
  const { link } = point;
  const area = (
    <>
      {children}
      <rect className="chart-hit" x={x} y={0} width={width} height={height} />
    </>
  );
  const show = { onMouseEnter: () => onShow(text), onMouseLeave: () => onShow(null) };
  if (link === undefined)
    return (
      <g className="chart-point" role="img" aria-label={text} {...show}>
        {area}
      </g>
    );
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    void navigate({
      to: link.to,
      search: { ...(project !== null && { project }), ...link.search },
    });
  };
  return (
    <a
      className="chart-point"
      href={`?${new URLSearchParams(link.search).toString()}`}
      aria-label={text}
      onClick={open}
      onFocus={() => onShow(text)}
      onBlur={() => onShow(null)}
      {...show}
    >
      {area}
    </a>
  );
}

/** The numbers of the point that is pointed at. Screen readers have them at the point itself. */
export function useShownPoint(): [ReactNode, (text: string | null) => void] {
  const [text, setText] = useState<string | null>(null);
  const line = (
    <p className="chart-reading small" aria-hidden="true">
      {text}
    </p>
  );
  return [line, setText];
}
