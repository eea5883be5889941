// A minimap for a picture that is larger than its frame: the same scene, small, with a frame around the visible part. For
// pointers only; the arrow keys scroll the picture anyway. Must not know what is drawn.

import { memo } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import type { Schemas } from "./client";

type Scene = Schemas["Scene"];
type Shape = Scene["shapes"][number];
type At = [number, number];

const points = (corners: At[]) => corners.map((it) => it.join(",")).join(" ");

/** A simplified shape, without text and without shapes beside the board. */
function small(shape: Shape, key: number) {
  const ground = `f-${shape.tint}`;
  switch (shape.form) {
    case "hex": {
      const [x, y] = shape.at as At;
      return <circle key={key} class={ground} cx={x} cy={y} r={shape.size * 0.9} />;
    }
    case "area":
      return <polygon key={key} class={ground} points={points(shape.outline as At[])} />;
    case "disc": {
      const [x, y] = shape.at as At;
      return <circle key={key} class={ground} cx={x} cy={y} r={shape.radius} />;
    }
    case "piece": {
      if (shape.outline === "bare") return null;
      const [x, y] = shape.at as At;
      return <circle key={key} class={`${ground} dot`} cx={x} cy={y} r={shape.size * 0.55} />;
    }
    default:
      return null;
  }
}

const Ground = memo(({ scene }: { scene: Scene }) => <>{scene.shapes.filter((it) => !it.region).map(small)}</>);

export function Minimap({ scene, frame, size, room }: { scene: Scene; frame: RefObject<HTMLElement | null>; size: unknown; room: string }) {
  const [seen, setSeen] = useState({ left: 0, top: 0, width: 1, height: 1 });
  const map = useRef<SVGSVGElement>(null);
  const { left, top, width } = scene.regions[0]?.bounds ?? scene.bounds;
  const picture = frame.current?.querySelector<SVGSVGElement>(":scope > svg");
  // Whatever is below the scene in its picture counts, too.
  const height = picture?.viewBox.baseVal.height || scene.bounds.height;
  useEffect(() => {
    const it = frame.current;
    if (!it) return;
    const look = () => {
      const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = it;
      setSeen({
        left: scrollLeft / (scrollWidth || 1),
        top: scrollTop / (scrollHeight || 1),
        width: Math.min(1, clientWidth / (scrollWidth || 1)),
        height: Math.min(1, clientHeight / (scrollHeight || 1)),
      });
    };
    look();
    it.addEventListener("scroll", look, { passive: true });
    return () => it.removeEventListener("scroll", look);
  }, [size, room, width, height]);
  /** Centers the frame on the pointer. */
  const go = (event: PointerEvent) => {
    const [it, box] = [frame.current, map.current?.getBoundingClientRect()];
    if (!it || !box || event.buttons === 0) return;
    event.preventDefault();
    it.scrollLeft = ((event.clientX - box.left) / box.width) * it.scrollWidth - it.clientWidth / 2;
    it.scrollTop = ((event.clientY - box.top) / box.height) * it.scrollHeight - it.clientHeight / 2;
  };
  return (
    <svg ref={map} class="minimap scene" data-art={picture?.dataset["art"]} viewBox={`${left} ${top} ${width} ${height}`} aria-hidden="true" onPointerDown={go} onPointerMove={go}>
      <rect class="ground" x={left} y={top} width={width} height={height} />
      <Ground scene={scene} />
      {["under", "over"].map((stroke) => (
        <rect key={stroke} class={`seen ${stroke}`} x={left + seen.left * width} y={top + seen.top * height} width={seen.width * width} height={seen.height * height} />
      ))}
    </svg>
  );
}
